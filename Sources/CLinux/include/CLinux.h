// The calls that Swift cannot make by itself, each with the reason. The bodies are in CLinux.c and not here: they need
// _GNU_SOURCE before the first system header, which the header of a module cannot promise.
//
// Every function returns what its system call returns and leaves the error in errno.
#pragma once

#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "arguments.h"
#include "crash.h"
#include "files.h"
#include "fork_server.h"
#include "mapping.h"
#include "sandbox.h"
#include "watch.h"

#pragma clang assume_nonnull begin

/// memfd_create(2), close-on-exec and sealable. Why here: declared for _GNU_SOURCE only.
int linux_memfd_create(const char *name);

/// fcntl(F_ADD_SEALS) of write, grow, shrink and seal. Why here: fcntl is variadic, the seals are GNU macros.
int linux_memfd_seal(int descriptor);

/// fcntl(F_GET_SEALS): 1 when all seals of linux_memfd_seal are on, 0 when one is missing. Why here: as above.
int linux_memfd_is_sealed(int descriptor);

/// openat2(2) beneath a directory, through no symbolic link and no magic link. Why here: glibc has no wrapper.
int linux_open_beneath(int directory, const char *path, int flags);

/// syncfs(2). Why here: declared for _GNU_SOURCE only.
int linux_syncfs(int descriptor);

/// Most descriptors that one datagram may carry here; fewer than the kernel's own SCM_MAX_FD of 253.
enum { LINUX_MESSAGE_DESCRIPTORS = 16 };

/// sendmsg(2) with SCM_RIGHTS, MSG_NOSIGNAL and MSG_DONTWAIT. Why here: CMSG_* are macros.
ssize_t linux_send(int socket, const void *bytes, size_t count, const int *descriptors, size_t descriptor_count);

/// recvmsg(2) with MSG_CMSG_CLOEXEC. Every descriptor that arrived is in `descriptors` (room for
/// LINUX_MESSAGE_DESCRIPTORS) and belongs to the caller, even when `is_truncated` says that bytes, descriptors or
/// other control data were cut off. Why here: CMSG_* are macros.
ssize_t linux_receive(
    int socket, void *bytes, size_t capacity, int *descriptors, size_t *descriptor_count, bool *is_truncated);

/// pidfd_open(2). Why here: <sys/pidfd.h> is not part of Swift's Glibc module.
int linux_pidfd_open(pid_t pid);

/// posix_spawn_file_actions_addclosefrom_np(3). Why here: declared for _GNU_SOURCE only.
int linux_spawn_close_from(posix_spawn_file_actions_t *actions, int first);

/// sigabbrev_np(3): "SEGV" for SIGSEGV, NULL for a number that is no signal. Why here: declared for _GNU_SOURCE only.
const char *_Nullable linux_signal_abbreviation(int signal);

/// ioctl(SIOCOUTQ): 1 when the other end has not read everything, 0 when it has, -1 on error. Why here: ioctl is
/// variadic.
int linux_has_unread(int socket);

/// dladdr(3): the path of the library that a symbol comes from, NULL when no library has it. Why here: declared for
/// _GNU_SOURCE only.
const char *_Nullable linux_library_of(const char *symbol);

/// eventfd(2), close-on-exec and non-blocking. Why here: <sys/eventfd.h> is not part of Swift's Glibc module.
int linux_eventfd(void);

#pragma clang assume_nonnull end
