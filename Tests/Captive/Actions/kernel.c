#define _GNU_SOURCE
#include "attempt.h"

#include <fcntl.h>
#include <linux/bpf.h>
#include <linux/io_uring.h>
#include <linux/keyctl.h>
#include <linux/perf_event.h>
#include <mqueue.h>
#include <stdio.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/timex.h>
#include <time.h>

// What would change the machine is asked for with an argument that cannot be right, so that the kernel refuses it
// without a sandbox too; or it is undone at once.
static const char nowhere[] = "/nonexistent";
static const char here[] = ".";

static long shared_memory(void) {
    long number = syscall(SYS_shmget, IPC_PRIVATE, 4096, 0600);
    if (number >= 0) shmctl((int)number, IPC_RMID, NULL);
    return number;
}
static long message_queue(void) {
    long number = syscall(SYS_msgget, IPC_PRIVATE, 0600);
    if (number >= 0) msgctl((int)number, IPC_RMID, NULL);
    return number;
}
static long semaphores(void) {
    long number = syscall(SYS_semget, IPC_PRIVATE, 1, 0600);
    if (number >= 0) semctl((int)number, 0, IPC_RMID);
    return number;
}
static long posix_queue(void) {
    char name[64];
    snprintf(name, sizeof name, "mediaprep-captive-%d", getpid());
    long number = syscall(SYS_mq_open, name, O_CREAT | O_RDWR, 0600, NULL);
    if (number >= 0) syscall(SYS_mq_unlink, name);
    return number;
}

static union bpf_attr map = {.map_type = BPF_MAP_TYPE_ARRAY, .key_size = 4, .value_size = 4, .max_entries = 1};
static struct perf_event_attr event = {
    .type = PERF_TYPE_SOFTWARE, .size = sizeof event, .config = PERF_COUNT_SW_CPU_CLOCK, .exclude_kernel = 1};
static struct io_uring_params ring;
static struct timespec never = {.tv_nsec = -1};
static struct timex question;
static char buffer[4096];
static timer_t timer;

ATTEMPT(mount_nothing, syscall(SYS_mount, "none", nowhere, "tmpfs", 0L, NULL))
ATTEMPT(unmount, syscall(SYS_umount2, nowhere, 0))
ATTEMPT(move, syscall(SYS_move_mount, AT_FDCWD, nowhere, AT_FDCWD, nowhere, 0))
ATTEMPT(tree, syscall(SYS_open_tree, AT_FDCWD, here, 0))
ATTEMPT(new_file_system, syscall(SYS_fsopen, "no-such-file-system", 0))
ATTEMPT(pivot, syscall(SYS_pivot_root, nowhere, nowhere))
ATTEMPT(keys, syscall(SYS_keyctl, KEYCTL_GET_KEYRING_ID, KEY_SPEC_PROCESS_KEYRING, 0L))
ATTEMPT(key, syscall(SYS_add_key, "user", "mediaprep-captive", "x", 1L, KEY_SPEC_PROCESS_KEYRING))
ATTEMPT(key_elsewhere, syscall(SYS_request_key, "user", "mediaprep-captive", NULL, 0))
ATTEMPT(programs, syscall(SYS_bpf, BPF_MAP_CREATE, &map, sizeof map))
ATTEMPT(counters, syscall(SYS_perf_event_open, &event, 0, -1, -1, 0L))
ATTEMPT(uring, syscall(SYS_io_uring_setup, 1, &ring))
ATTEMPT(faults, syscall(SYS_userfaultfd, O_CLOEXEC))
ATTEMPT(watch_all, syscall(SYS_fanotify_init, 0, 0))
ATTEMPT(host_name, syscall(SYS_sethostname, "x", -1L))
ATTEMPT(set_time, syscall(SYS_settimeofday, NULL, NULL))
ATTEMPT(set_clock, syscall(SYS_clock_settime, CLOCK_REALTIME, &never))
ATTEMPT(ask_clock, syscall(SYS_adjtimex, &question))
ATTEMPT(restart, syscall(SYS_reboot, 0, 0, 0, NULL))
ATTEMPT(swap, syscall(SYS_swapon, nowhere, 0))
ATTEMPT(module, syscall(SYS_init_module, NULL, 0L, ""))
ATTEMPT(module_file, syscall(SYS_finit_module, -1, "", 0))
ATTEMPT(next_kernel, syscall(SYS_kexec_load, 0L, 0L, NULL, ~0UL))
ATTEMPT(kernel_log, syscall(SYS_syslog, 10, NULL, 0))
ATTEMPT(account, syscall(SYS_acct, nowhere))
ATTEMPT(quota, syscall(SYS_quotactl, 0, nowhere, 0, NULL))
ATTEMPT(shared, shared_memory())
ATTEMPT(messages, message_queue())
ATTEMPT(locks, semaphores())
ATTEMPT(queue, posix_queue())
ATTEMPT(create_timer, syscall(SYS_timer_create, CLOCK_MONOTONIC, NULL, &timer))
ATTEMPT(lock_memory, syscall(SYS_mlock, buffer, 1L))
ATTEMPT(policy, syscall(SYS_set_mempolicy, 0, NULL, 0L))
ATTEMPT(barrier, syscall(SYS_membarrier, 0, 0, 0))
ATTEMPT(system_name, syscall(SYS_uname, buffer))

const captive_action captive_kernel[] = {
    DEPENDS("mount", mount_nothing, "needs a privilege, and has nowhere to mount", KILLED),
    DEPENDS("umount2", unmount, "needs a privilege, and has nothing to unmount", KILLED),
    DEPENDS("move_mount", move, "needs a privilege, and has nothing to move", KILLED),
    PROVED("open_tree", tree, KILLED),
    DEPENDS("fsopen", new_file_system, "needs a privilege, and names no file system", KILLED),
    DEPENDS("pivot_root", pivot, "needs a privilege, and has nowhere to go", KILLED),
    DEPENDS("keyctl", keys, "not every kernel has keys", KILLED),
    DEPENDS("add_key", key, "not every kernel has keys", KILLED),
    DEPENDS("request_key", key_elsewhere, "not every kernel has keys, and there is no such key", KILLED),
    DEPENDS("bpf", programs, "needs a privilege", KILLED),
    DEPENDS("perf_event_open", counters, "may need a privilege", KILLED),
    DEPENDS("io_uring_setup", uring, "not every system allows it", KILLED),
    DEPENDS("userfaultfd", faults, "may need a privilege", KILLED),
    DEPENDS("fanotify_init", watch_all, "may need a privilege", KILLED),
    DEPENDS("sethostname", host_name, "needs a privilege, and is asked with a length below 0", KILLED),
    DEPENDS("settimeofday", set_time, "needs a privilege", KILLED),
    ANSWERED("clock_settime", set_clock, EINVAL, KILLED),
    PROVED("adjtimex", ask_clock, KILLED),
    DEPENDS("reboot", restart, "needs a privilege, and is asked without the magic numbers", KILLED),
    DEPENDS("swapon", swap, "needs a privilege, and has nothing to swap to", KILLED),
    DEPENDS("init_module", module, "needs a privilege, and has no module", KILLED),
    DEPENDS("finit_module", module_file, "needs a privilege, and has no module", KILLED),
    DEPENDS("kexec_load", next_kernel, "needs a privilege, and is asked with wrong flags", KILLED),
    DEPENDS("syslog", kernel_log, "may need a privilege", KILLED),
    DEPENDS("acct", account, "needs a privilege, and names no file", KILLED),
    DEPENDS("quotactl", quota, "needs a privilege, and names no device", KILLED),
    PROVED("shmget", shared, KILLED),
    PROVED("msgget", messages, KILLED),
    PROVED("semget", locks, KILLED),
    DEPENDS("mq_open", queue, "not every kernel has such queues", KILLED),
    PROVED("timer_create", create_timer, KILLED),
    PROVED("mlock", lock_memory, KILLED),
    DEPENDS("set_mempolicy", policy, "not every kernel has it", KILLED),
    DEPENDS("membarrier", barrier, "not every kernel has it", KILLED),
    PROVED("uname", system_name, KILLED),
    END,
};
