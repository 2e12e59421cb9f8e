#define _GNU_SOURCE
#include "mapping.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

// A fault is raised on the thread that touched the page, so the handler sees that thread's own mapping.
static _Thread_local struct {
    char *start;
    size_t size;
    volatile sig_atomic_t is_lost;
} current;

static struct sigaction earlier;

static void handle(int number, siginfo_t *information, void *context) {
    (void)context;
    int error = errno;
    char *address = information->si_addr;
    // Not where a process sent the signal, whatever address it may give.
    bool is_ours = information->si_code > 0 && current.start != NULL && address >= current.start &&
                   address < current.start + current.size;
    if (is_ours) {
        // All that follows at once: a file that was cut faults on every page of its former end.
        char *page = (char *)((uintptr_t)address & ~((uintptr_t)sysconf(_SC_PAGESIZE) - 1));
        size_t rest = (size_t)(current.start + current.size - page);
        is_ours = mmap(page, rest, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0) == page;
        if (is_ours) current.is_lost = true;
    }
    // The instruction is tried again, and its fault is then whoever's it was before.
    if (!is_ours) sigaction(number, &earlier, NULL);
    errno = error;
}

static void install(void) {
    struct sigaction action = {.sa_sigaction = handle, .sa_flags = SA_SIGINFO | SA_ONSTACK};
    sigemptyset(&action.sa_mask);
    sigaction(SIGBUS, &action, &earlier);
}

static pthread_once_t installed = PTHREAD_ONCE_INIT;

const void *linux_mapping_open(int descriptor, size_t size) {
    if (current.start != NULL) {
        errno = EBUSY;
        return NULL;
    }
    pthread_once(&installed, install);
    void *start = mmap(NULL, size, PROT_READ, MAP_PRIVATE, descriptor, 0);
    if (start == MAP_FAILED) return NULL;
    current.start = start;
    current.size = size;
    current.is_lost = false;
    return start;
}

bool linux_mapping_close(void) {
    bool is_lost = current.is_lost;
    munmap(current.start, current.size);
    current.start = NULL;
    return is_lost;
}
