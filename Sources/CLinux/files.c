#define _GNU_SOURCE
#include "files.h"

#include <stdio.h>
#include <unistd.h>

int linux_rename_exclusively(int directory, const char *name, int new_directory, const char *new_name) {
    return renameat2(directory, name, new_directory, new_name, RENAME_NOREPLACE);
}

int linux_rename_exchanging(int directory, const char *name, int new_directory, const char *new_name) {
    return renameat2(directory, name, new_directory, new_name, RENAME_EXCHANGE);
}

off_t linux_seek_data(int descriptor, off_t offset) { return lseek(descriptor, offset, SEEK_DATA); }

off_t linux_seek_hole(int descriptor, off_t offset) { return lseek(descriptor, offset, SEEK_HOLE); }
