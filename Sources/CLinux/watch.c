#define _GNU_SOURCE
#include "watch.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/vfs.h>
#include <unistd.h>

int linux_open_handle(int directory, const char *name) {
    return openat(directory, name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
}

int linux_open_handle_for_reading(int handle) {
    char path[32];
    snprintf(path, sizeof path, "/proc/self/fd/%d", handle);
    return open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
}

int linux_try_read_lease(int descriptor) {
    // Before the lease, or a writer could come while the signal is still SIGIO.
    if (fcntl(descriptor, F_SETSIG, SIGURG) < 0) return -1;
    if (fcntl(descriptor, F_SETLEASE, F_RDLCK) == 0) {
        fcntl(descriptor, F_SETLEASE, F_UNLCK);
        return 0;
    }
    // A network file system that holds no delegation says EAGAIN as well, and says it for ever.
    if (errno == EAGAIN && linux_is_remote(descriptor) != 0) errno = EOPNOTSUPP;
    return -1;
}

int linux_is_remote(int descriptor) {
    struct statfs file_system;
    if (fstatfs(descriptor, &file_system) < 0) return -1;
    switch ((uint32_t)file_system.f_type) {
    case 0x00006969: // NFS
    case 0x0000517b: // SMB
    case 0xff534d42: // CIFS
    case 0xfe534d42: // SMB2
    case 0x65735546: // FUSE
    case 0x00c36400: // Ceph
    case 0x01021997: // 9P
    case 0x5346414f: // AFS
    case 0x786f4256: // VirtualBox's shared folders
    case 0x61756673: // aufs
        return 1;
    default:
        return 0;
    }
}
