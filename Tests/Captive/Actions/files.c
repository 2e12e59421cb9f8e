#define _GNU_SOURCE
#include "attempt.h"

#include <fcntl.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

static struct open_how reading = {.flags = O_RDONLY};
static char buffer[4096];

ATTEMPT(read_absolute, syscall(SYS_openat, AT_FDCWD, "/etc/passwd", O_RDONLY, 0))
ATTEMPT(read_relative, syscall(SYS_openat, AT_FDCWD, "file", O_RDONLY, 0))
ATTEMPT(write_relative, syscall(SYS_openat, AT_FDCWD, "file", O_WRONLY, 0))
ATTEMPT(append_relative, syscall(SYS_openat, AT_FDCWD, "file", O_WRONLY | O_APPEND, 0))
ATTEMPT(create, syscall(SYS_openat, AT_FDCWD, "new", O_WRONLY | O_CREAT | O_EXCL, 0600))
ATTEMPT(path_only, syscall(SYS_openat, AT_FDCWD, "/", O_PATH, 0))
ATTEMPT(directory, syscall(SYS_openat, AT_FDCWD, ".", O_RDONLY | O_DIRECTORY, 0))
ATTEMPT(null_device, syscall(SYS_openat, AT_FDCWD, "/dev/null", O_RDWR, 0))
ATTEMPT(beneath_descriptor, syscall(SYS_openat, context->source, "file", O_RDONLY, 0))
ATTEMPT(openat2, syscall(SYS_openat2, AT_FDCWD, "file", &reading, sizeof reading))
ATTEMPT(own_memory, syscall(SYS_openat, AT_FDCWD, "/proc/self/mem", O_RDWR, 0))
ATTEMPT(own_maps, syscall(SYS_openat, AT_FDCWD, "/proc/self/maps", O_RDONLY, 0))

static int result_again(const captive_context *context) {
    snprintf(buffer, sizeof buffer, "/proc/self/fd/%d", context->result);
    return syscall(SYS_openat, AT_FDCWD, buffer, O_RDWR, 0) < 0 ? errno : 0;
}

static int parents_memory(const captive_context *context) {
    snprintf(buffer, sizeof buffer, "/proc/%d/mem", context->parent);
    return syscall(SYS_openat, AT_FDCWD, buffer, O_RDWR, 0) < 0 ? errno : 0;
}

ATTEMPT(statx_path, syscall(SYS_statx, AT_FDCWD, "/etc/passwd", 0, STATX_BASIC_STATS, buffer))
ATTEMPT(fstatat_path, syscall(SYS_newfstatat, AT_FDCWD, "/etc/passwd", buffer, 0))
ATTEMPT(readlink_path, syscall(SYS_readlinkat, AT_FDCWD, "/proc/self/exe", buffer, sizeof buffer))
ATTEMPT(access_path, syscall(SYS_faccessat, AT_FDCWD, "/etc/passwd", R_OK))
ATTEMPT(working_directory, syscall(SYS_getcwd, buffer, sizeof buffer))
ATTEMPT(list, syscall(SYS_getdents64, context->result, buffer, sizeof buffer))
ATTEMPT(file_system, syscall(SYS_statfs, "/", buffer))

ATTEMPT(unlinkat_file, syscall(SYS_unlinkat, AT_FDCWD, "victim", 0))
ATTEMPT(renameat2_file, syscall(SYS_renameat2, AT_FDCWD, "victim", AT_FDCWD, "moved", 0))
ATTEMPT(linkat_file, syscall(SYS_linkat, AT_FDCWD, "victim", AT_FDCWD, "second", 0))
ATTEMPT(link_result, syscall(SYS_linkat, context->result, "", AT_FDCWD, "result", AT_EMPTY_PATH))
ATTEMPT(symlinkat_file, syscall(SYS_symlinkat, "victim", AT_FDCWD, "soft"))
ATTEMPT(mkdirat_new, syscall(SYS_mkdirat, AT_FDCWD, "directory", 0700))
ATTEMPT(mknodat_fifo, syscall(SYS_mknodat, AT_FDCWD, "fifo", S_IFIFO | 0600, 0))
ATTEMPT(fchmodat_file, syscall(SYS_fchmodat, AT_FDCWD, "victim", 0777))
ATTEMPT(fchmod_result, syscall(SYS_fchmod, context->result, 0777))
ATTEMPT(fchownat_file, syscall(SYS_fchownat, AT_FDCWD, "victim", -1, -1, 0))
ATTEMPT(truncate_file, syscall(SYS_truncate, "victim", 0L))
ATTEMPT(touch_file, syscall(SYS_utimensat, AT_FDCWD, "victim", NULL, 0))
ATTEMPT(attribute, syscall(SYS_setxattr, "victim", "user.x", "x", 1L, 0))
ATTEMPT(chdir_root, syscall(SYS_chdir, "/"))
ATTEMPT(chroot_here, syscall(SYS_chroot, "."))

static struct {
    struct file_handle handle;
    char bytes[MAX_HANDLE_SZ];
} handle = {.handle = {.handle_bytes = MAX_HANDLE_SZ}};
static int mount_number;

ATTEMPT(make_handle, syscall(SYS_name_to_handle_at, AT_FDCWD, ".", &handle, &mount_number, 0))
ATTEMPT(open_handle, syscall(SYS_open_by_handle_at, AT_FDCWD, &handle, O_RDONLY))

#ifdef SYS_open
ATTEMPT(old_open, syscall(SYS_open, "/etc/passwd", O_RDONLY, 0))
ATTEMPT(old_creat, syscall(SYS_creat, "new", 0600))
ATTEMPT(old_stat, syscall(SYS_stat, "/etc/passwd", buffer))
ATTEMPT(old_unlink, syscall(SYS_unlink, "victim"))
ATTEMPT(old_rename, syscall(SYS_rename, "victim", "moved"))
ATTEMPT(old_link, syscall(SYS_link, "victim", "second"))
ATTEMPT(old_symlink, syscall(SYS_symlink, "victim", "soft"))
ATTEMPT(old_mkdir, syscall(SYS_mkdir, "directory", 0700))
ATTEMPT(old_chmod, syscall(SYS_chmod, "victim", 0777))
ATTEMPT(old_mknod, syscall(SYS_mknod, "fifo", S_IFIFO | 0600, 0))
#endif

const captive_action captive_files[] = {
    PROVED("open a file for reading", read_absolute, EPERM),
    PROVED("open a file for reading, relative", read_relative, EPERM),
    PROVED("open a file for writing, relative", write_relative, EPERM),
    PROVED("open a file for appending", append_relative, EPERM),
    PROVED("open a new file", create, EPERM),
    PROVED("open with O_PATH", path_only, EPERM),
    PROVED("open a directory", directory, EPERM),
    PROVED("open /dev/null", null_device, EPERM),
    ANSWERED("open relative to a descriptor", beneath_descriptor, ENOTDIR, EPERM),
    PROVED("open the result again by /proc/self/fd", result_again, EPERM),
    PROVED("open /proc/self/mem", own_memory, EPERM),
    PROVED("open /proc/self/maps", own_maps, EPERM),
    DEPENDS("open /proc/PARENT/mem", parents_memory, "Yama may forbid it", EPERM),
    PROVED("openat2", openat2, KILLED),
    PROVED("statx", statx_path, EPERM),
    PROVED("newfstatat", fstatat_path, EPERM),
    PROVED("readlinkat", readlink_path, EPERM),
    PROVED("faccessat", access_path, EPERM),
    PROVED("getcwd", working_directory, EPERM),
    ANSWERED("getdents64", list, ENOTDIR, KILLED),
    PROVED("statfs", file_system, KILLED),
    PROVED("unlinkat", unlinkat_file, EPERM),
    PROVED("renameat2", renameat2_file, KILLED),
    PROVED("linkat", linkat_file, KILLED),
    // No memory file has a link, and none gets one.
    DEPENDS("linkat of the result", link_result, "needs a privilege, and the kernel refuses it even then", KILLED),
    PROVED("symlinkat", symlinkat_file, KILLED),
    PROVED("mkdirat", mkdirat_new, KILLED),
    PROVED("mknodat", mknodat_fifo, KILLED),
    PROVED("fchmodat", fchmodat_file, KILLED),
    PROVED("fchmod of the result", fchmod_result, KILLED),
    PROVED("fchownat", fchownat_file, KILLED),
    PROVED("truncate", truncate_file, KILLED),
    PROVED("utimensat", touch_file, KILLED),
    DEPENDS("setxattr", attribute, "not every file system has user attributes", KILLED),
    PROVED("chdir", chdir_root, KILLED),
    DEPENDS("chroot", chroot_here, "needs a privilege", KILLED),
    DEPENDS("name_to_handle_at", make_handle, "not every file system has handles", KILLED),
    DEPENDS("open_by_handle_at", open_handle, "needs a privilege and a handle", KILLED),
#ifdef SYS_open
    PROVED("open", old_open, EPERM),
    PROVED("creat", old_creat, KILLED),
    PROVED("stat", old_stat, EPERM),
    PROVED("unlink", old_unlink, EPERM),
    PROVED("rename", old_rename, KILLED),
    PROVED("link", old_link, KILLED),
    PROVED("symlink", old_symlink, KILLED),
    PROVED("mkdir", old_mkdir, KILLED),
    PROVED("chmod", old_chmod, KILLED),
    PROVED("mknod", old_mknod, KILLED),
#endif
    END,
};
