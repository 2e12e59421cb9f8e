// Asking for a file's writers, each call with the reason why it is not in Swift.
//
// Every function returns what its system call returns and leaves the error in errno.
#pragma once

#pragma clang assume_nonnull begin

/// openat(2) with O_PATH and O_NOFOLLOW: a handle of whatever the name stands for, which opens nothing. Why here:
/// O_PATH is a GNU macro.
int linux_open_handle(int directory, const char *name);

/// open(2) of the file that a handle stands for, for reading, without waiting. Why here: by its name in /proc.
int linux_open_handle_for_reading(int handle);

/// fcntl(F_SETLEASE, F_RDLCK), and at once F_UNLCK: 0 when nobody has the file open for writing, EAGAIN when somebody
/// has, other errors where that cannot be known. A break in between sends SIGURG, which does nothing, instead of
/// SIGIO, which kills. Why here: fcntl is variadic, the commands are GNU macros.
int linux_try_read_lease(int descriptor);

/// fstatfs(2): 1 when the file system is one that other machines or a server change behind the kernel's back, else 0.
/// Why here: <sys/statfs.h> and the magic numbers are not part of Swift's Glibc module.
int linux_is_remote(int descriptor);

#pragma clang assume_nonnull end
