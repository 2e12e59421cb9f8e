#include "arguments.h"

#include <stddef.h>

static int count;
static char **arguments;

__attribute__((constructor)) static void keep(int argc, char **argv, char **envp) {
    (void)envp;
    count = argc;
    arguments = argv;
}

const char *linux_argument(int index) {
    return index >= 0 && index < count ? arguments[index] : NULL;
}
