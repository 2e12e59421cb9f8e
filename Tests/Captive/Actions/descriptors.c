#define _GNU_SOURCE
#include "attempt.h"

#include <fcntl.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/uio.h>

// More than any result may have.
enum { TOO_LONG = 4 << 20 };
static char buffer[1 << 16];
static struct iovec vector = {buffer, 1};

// Zero where everything was written; a signal may end it before.
static long write_all(int descriptor, long count) {
    while (count > 0) {
        long written = syscall(SYS_write, descriptor, buffer, sizeof buffer);
        if (written < 0) return -1;
        count -= written;
    }
    return 0;
}

static long write_mapped(int descriptor, int flags) {
    char *start = mmap(NULL, TOO_LONG, PROT_READ | PROT_WRITE, flags, descriptor, 0);
    if (start == MAP_FAILED) return -1;
    memset(start, 1, TOO_LONG);
    return 0;
}

static long grown(size_t size) {
    void *start = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return mremap(start, 4096, size, MREMAP_MAYMOVE) == MAP_FAILED ? -1 : 0;
}

// Linux before 6.7 refuses the mapping itself, later ones that it becomes writable.
static long make_writable(int descriptor) {
    void *start = mmap(NULL, 1, PROT_READ, MAP_SHARED, descriptor, 0);
    if (start == MAP_FAILED) return -1;
    long result = mprotect(start, 1, PROT_READ | PROT_WRITE);
    if (result < 0 && errno == EACCES) errno = EPERM;
    return result;
}

static const size_t eight_gib = 8UL << 30;

ATTEMPT(read_left_open, syscall(SYS_read, context->left_open, buffer, 1))
ATTEMPT(kept_write, syscall(SYS_write, context->kept, buffer, 1))
ATTEMPT(kept_map, write_mapped(context->kept, MAP_SHARED))
ATTEMPT(kept_protect, make_writable(context->kept))
ATTEMPT(source_write, syscall(SYS_write, context->source, buffer, 1))
ATTEMPT(too_long, write_all(context->result, TOO_LONG))
ATTEMPT(too_far, lseek(context->result, TOO_LONG, SEEK_SET) < 0 ? -1 : syscall(SYS_write, context->result, buffer, 1))
ATTEMPT(too_long_mapped, write_mapped(context->result, MAP_SHARED))
ATTEMPT(too_long_pwrite, syscall(SYS_pwrite64, context->result, buffer, 1, (long)TOO_LONG))
ATTEMPT(too_long_writev, syscall(SYS_writev, context->result, &vector, 1))
ATTEMPT(too_long_truncate, syscall(SYS_ftruncate, context->result, (long)TOO_LONG))
ATTEMPT(too_long_allocate, syscall(SYS_fallocate, context->result, 0, 0L, (long)TOO_LONG))
ATTEMPT(too_long_sendfile, syscall(SYS_sendfile, context->result, context->source, NULL, 4096))
ATTEMPT(too_long_copy, syscall(SYS_copy_file_range, context->source, NULL, context->result, NULL, 4096, 0))
ATTEMPT(too_much_memory,
        syscall(SYS_mmap, NULL, eight_gib, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0L))
ATTEMPT(too_much_growth, grown(eight_gib))
ATTEMPT(keyed_to_run, syscall(SYS_pkey_mprotect, NULL, 0L, PROT_EXEC, -1))
ATTEMPT(seal, syscall(SYS_fcntl, context->result, F_ADD_SEALS, F_SEAL_WRITE))
ATTEMPT(set_owner, syscall(SYS_fcntl, 3, F_SETOWN, getpid()))
ATTEMPT(set_flags, syscall(SYS_fcntl, 3, F_SETFL, O_NONBLOCK))
ATTEMPT(get_flags, syscall(SYS_fcntl, context->result, F_GETFL))
ATTEMPT(set_lease, syscall(SYS_fcntl, context->result, F_GETLEASE))
ATTEMPT(duplicate_high, syscall(SYS_fcntl, context->result, F_DUPFD, 500))
ATTEMPT(duplicate, syscall(SYS_dup, context->result))
ATTEMPT(duplicate_over, syscall(SYS_dup3, context->result, 12, 0))
ATTEMPT(synchronise, syscall(SYS_fsync, context->result))
ATTEMPT(lock, syscall(SYS_flock, context->result, 2))
ATTEMPT(type_ahead, syscall(SYS_ioctl, 0, TIOCSTI, "x"))
ATTEMPT(bytes_waiting, syscall(SYS_ioctl, 3, FIONREAD, buffer))
ATTEMPT(pipes, syscall(SYS_pipe2, buffer, 0))
ATTEMPT(epoll, syscall(SYS_epoll_create1, 0))
ATTEMPT(event, syscall(SYS_eventfd2, 0, 0))
ATTEMPT(timer, syscall(SYS_timerfd_create, 1, 0))
static unsigned long no_signals;
ATTEMPT(signals, syscall(SYS_signalfd4, -1, &no_signals, 8L, 0))
ATTEMPT(inotify, syscall(SYS_inotify_init1, 0))
ATTEMPT(memory_file, syscall(SYS_memfd_create, "x", 0))

const captive_action captive_descriptors[] = {
    PROVED("read from a descriptor left open", read_left_open, EBADF),
    // What protects these four is the supervisor's seal and not the sandbox.
    ANSWERED("write to an earlier result", kept_write, EPERM, EPERM),
    ANSWERED("map an earlier result for writing", kept_map, EPERM, EPERM),
    ANSWERED("make an earlier result's mapping writable", kept_protect, EPERM, EPERM),
    ANSWERED("write to the source", source_write, EPERM, EPERM),
    PROVED("write too long a result", too_long, -SIGXFSZ),
    PROVED("write behind the longest result", too_far, -SIGXFSZ),
    // A mapping does not make a file longer.
    ANSWERED("write too long a result through a mapping", too_long_mapped, -SIGBUS, -SIGBUS),
    PROVED("pwrite64", too_long_pwrite, KILLED),
    PROVED("writev", too_long_writev, KILLED),
    PROVED("ftruncate of the result", too_long_truncate, KILLED),
    PROVED("fallocate of the result", too_long_allocate, KILLED),
    PROVED("sendfile", too_long_sendfile, KILLED),
    PROVED("copy_file_range", too_long_copy, KILLED),
    PROVED("map more than the address space", too_much_memory, ENOMEM),
    PROVED("grow a mapping beyond the address space", too_much_growth, ENOMEM),
    PROVED("pkey_mprotect", keyed_to_run, KILLED),
    PROVED("fcntl F_ADD_SEALS", seal, KILLED),
    PROVED("fcntl F_SETOWN", set_owner, KILLED),
    PROVED("fcntl F_SETFL", set_flags, KILLED),
    PROVED("fcntl F_GETFL", get_flags, KILLED),
    PROVED("fcntl F_GETLEASE", set_lease, KILLED),
    PROVED("fcntl F_DUPFD", duplicate_high, KILLED),
    PROVED("dup", duplicate, KILLED),
    PROVED("dup3", duplicate_over, KILLED),
    PROVED("fsync", synchronise, KILLED),
    PROVED("flock", lock, KILLED),
    ANSWERED("ioctl TIOCSTI", type_ahead, ENOTTY, EPERM),
    PROVED("ioctl FIONREAD", bytes_waiting, EPERM),
    PROVED("pipe2", pipes, KILLED),
    PROVED("epoll_create1", epoll, KILLED),
    PROVED("eventfd2", event, KILLED),
    PROVED("timerfd_create", timer, KILLED),
    PROVED("signalfd4", signals, KILLED),
    PROVED("inotify_init1", inotify, KILLED),
    PROVED("memfd_create", memory_file, EPERM),
    END,
};
