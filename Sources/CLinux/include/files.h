// Calls on entries of directories and on the holes of files.
#pragma once

#include <sys/types.h>

#pragma clang assume_nonnull begin

/// renameat2(2) with RENAME_NOREPLACE. Why here: declared for _GNU_SOURCE only.
int linux_rename_exclusively(int directory, const char *name, int new_directory, const char *new_name);

/// renameat2(2) with RENAME_EXCHANGE. Why here: declared for _GNU_SOURCE only.
int linux_rename_exchanging(int directory, const char *name, int new_directory, const char *new_name);

/// lseek(2) with SEEK_DATA. Why here: SEEK_DATA is defined for _GNU_SOURCE only.
off_t linux_seek_data(int descriptor, off_t offset);

/// lseek(2) with SEEK_HOLE. Why here: as above.
off_t linux_seek_hole(int descriptor, off_t offset);

#pragma clang assume_nonnull end
