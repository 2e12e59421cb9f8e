#define _GNU_SOURCE
#include "attempt.h"

#include <fcntl.h>
#include <limits.h>
#include <linux/sched.h>
#include <sched.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/time.h>
#include <sys/resource.h>
#include <sys/uio.h>
#include <sys/wait.h>

static char *arguments[] = {"true", NULL};
static char *environment[] = {NULL};

// What was forked ends at once, and is waited for.
static long finished(long pid) {
    if (pid == 0) _exit(0);
    if (pid > 0) waitpid((pid_t)pid, NULL, 0);
    return pid;
}

static long copy_and_run(int source, int result) {
    char bytes[1 << 14];
    lseek(source, 0, SEEK_SET);
    for (long count; (count = read(source, bytes, sizeof bytes)) > 0;) write(result, bytes, (size_t)count);
    return syscall(SYS_execveat, result, "", arguments, environment, AT_EMPTY_PATH);
}

static char cell[8], other[8];
static struct iovec here = {cell, sizeof cell}, there = {other, sizeof other};
static struct clone_args plain_fork = {.exit_signal = SIGCHLD};
static siginfo_t queued = {.si_code = SI_QUEUE};
static cpu_set_t processors;
static struct rlimit limit;

static long all_processors(int pid) {
    memset(&processors, 0xFF, sizeof processors);
    return syscall(SYS_sched_setaffinity, pid, sizeof processors, &processors);
}

ATTEMPT(run, syscall(SYS_execve, "/bin/true", arguments, environment))
ATTEMPT(run_at, syscall(SYS_execveat, AT_FDCWD, "/bin/true", arguments, environment, 0))
ATTEMPT(run_source, syscall(SYS_execveat, context->source, "", arguments, environment, AT_EMPTY_PATH))
ATTEMPT(run_result, copy_and_run(context->source, context->result))
ATTEMPT(fork_clone, finished(syscall(SYS_clone, SIGCHLD, 0L, 0L, 0L, 0L)))
ATTEMPT(fork_user, finished(syscall(SYS_clone, SIGCHLD | CLONE_NEWUSER, 0L, 0L, 0L, 0L)))
ATTEMPT(fork_parent, finished(syscall(SYS_clone, SIGCHLD | CLONE_PTRACE, 0L, 0L, 0L, 0L)))
// No kernel makes a thread of this; the filter is to know nothing but the C library's threads.
ATTEMPT(odd_thread, syscall(SYS_clone, CLONE_THREAD | CLONE_SIGHAND, 0L, 0L, 0L, 0L))
ATTEMPT(fork_clone3, finished(syscall(SYS_clone3, &plain_fork, sizeof plain_fork)))
#ifdef SYS_fork
ATTEMPT(old_fork, finished(syscall(SYS_fork)))
// The C library's function, which does not let the child spoil the frame that both return to.
ATTEMPT(old_vfork, finished(vfork()))
#endif
ATTEMPT(leave_files, syscall(SYS_unshare, CLONE_FILES))
ATTEMPT(leave_user, syscall(SYS_unshare, CLONE_NEWUSER))
ATTEMPT(join, syscall(SYS_setns, context->result, 0))
ATTEMPT(trace_me, syscall(SYS_ptrace, PTRACE_TRACEME, 0L, 0L, 0L))
ATTEMPT(trace, syscall(SYS_ptrace, PTRACE_ATTACH, (long)INT_MAX, 0L, 0L))
ATTEMPT(seize, syscall(SYS_ptrace, PTRACE_SEIZE, (long)INT_MAX, 0L, 0L))
ATTEMPT(read_memory, syscall(SYS_process_vm_readv, getpid(), &here, 1L, &there, 1L, 0L))
ATTEMPT(write_memory, syscall(SYS_process_vm_writev, getpid(), &here, 1L, &there, 1L, 0L))
ATTEMPT(handle, syscall(SYS_pidfd_open, context->parent, 0))
ATTEMPT(signal_handle, syscall(SYS_pidfd_send_signal, context->result, 0, NULL, 0))
ATTEMPT(take_descriptor, syscall(SYS_pidfd_getfd, context->result, 0, 0))
ATTEMPT(kill_parent, syscall(SYS_kill, context->parent, 0))
ATTEMPT(kill_self, syscall(SYS_kill, getpid(), 0))
ATTEMPT(kill_group, syscall(SYS_kill, 0, 0))
ATTEMPT(kill_parents_group, syscall(SYS_kill, -getpgid(context->parent), 0))
ATTEMPT(kill_all, syscall(SYS_kill, -1, 0))
ATTEMPT(kill_first, syscall(SYS_kill, 1, 0))
ATTEMPT(tgkill_parent, syscall(SYS_tgkill, context->parent, context->parent, 0))
ATTEMPT(tkill_self, syscall(SYS_tkill, getpid(), 0))
ATTEMPT(queue_signal, syscall(SYS_rt_sigqueueinfo, context->parent, 0, &queued))
ATTEMPT(parents_processors, all_processors(context->parent))
ATTEMPT(parents_limit, syscall(SYS_prlimit64, context->parent, RLIMIT_NOFILE, NULL, &limit))
ATTEMPT(new_group, syscall(SYS_setpgid, 0, 0))
ATTEMPT(parents_group, syscall(SYS_setpgid, 0, getpgid(context->parent)))
ATTEMPT(new_session, syscall(SYS_setsid))
ATTEMPT(ask_session, syscall(SYS_getsid, context->parent))
ATTEMPT(priority, syscall(SYS_setpriority, PRIO_PROCESS, 0, getpriority(PRIO_PROCESS, 0)))
static struct sched_param ordinary;
ATTEMPT(scheduler, syscall(SYS_sched_setscheduler, 0, SCHED_BATCH, &ordinary))
ATTEMPT(io_priority, syscall(SYS_ioprio_set, 1, 0, 2 << 13 | 4))
static struct itimerval no_interval;
ATTEMPT(interval, syscall(SYS_setitimer, 0, &no_interval, NULL))

const captive_action captive_processes[] = {
    PROVED("execve", run, KILLED),
    PROVED("execveat", run_at, KILLED),
    PROVED("execveat of the source", run_source, KILLED),
    DEPENDS("execveat of the result", run_result, "some kernels refuse what is open for writing", KILLED),
    PROVED("clone as fork does", fork_clone, KILLED),
    PROVED("clone with CLONE_PTRACE", fork_parent, KILLED),
    DEPENDS("clone with CLONE_NEWUSER", fork_user, "not every system has user namespaces for all", KILLED),
    ANSWERED("clone of an odd thread", odd_thread, EINVAL, KILLED),
    PROVED("clone3 as fork does", fork_clone3, ENOSYS),
#ifdef SYS_fork
    PROVED("fork", old_fork, KILLED),
    PROVED("vfork", old_vfork, KILLED),
#endif
    PROVED("unshare CLONE_FILES", leave_files, KILLED),
    DEPENDS("unshare CLONE_NEWUSER", leave_user, "not every system has user namespaces for all", KILLED),
    ANSWERED("setns", join, EINVAL, KILLED),
    PROVED("ptrace PTRACE_TRACEME", trace_me, KILLED),
    ANSWERED("ptrace PTRACE_ATTACH", trace, ESRCH, KILLED),
    ANSWERED("ptrace PTRACE_SEIZE", seize, ESRCH, KILLED),
    PROVED("process_vm_readv", read_memory, KILLED),
    PROVED("process_vm_writev", write_memory, KILLED),
    PROVED("pidfd_open of the parent", handle, KILLED),
    ANSWERED("pidfd_send_signal", signal_handle, EBADF, KILLED),
    ANSWERED("pidfd_getfd", take_descriptor, EBADF, KILLED),
    // Signal 0 is sent by the same call as any other and harms nobody.
    PROVED("kill the parent", kill_parent, KILLED),
    PROVED("kill itself", kill_self, KILLED),
    PROVED("kill its group", kill_group, KILLED),
    PROVED("kill everybody", kill_all, KILLED),
    DEPENDS("kill process 1", kill_first, "needs a privilege", KILLED),
    PROVED("tgkill the parent", tgkill_parent, KILLED),
    PROVED("tkill", tkill_self, KILLED),
    PROVED("rt_sigqueueinfo to the parent", queue_signal, KILLED),
    PROVED("sched_setaffinity of the parent", parents_processors, KILLED),
    PROVED("prlimit64 of the parent", parents_limit, KILLED),
    PROVED("setpgid to a group of its own", new_group, KILLED),
    PROVED("setpgid to the parent's group", parents_group, KILLED),
    PROVED("kill the parent's group", kill_parents_group, KILLED),
    // It leads a group, and whoever does cannot begin a session.
    ANSWERED("setsid", new_session, EPERM, KILLED),
    PROVED("getsid", ask_session, KILLED),
    PROVED("setpriority", priority, KILLED),
    PROVED("sched_setscheduler", scheduler, KILLED),
    PROVED("ioprio_set", io_priority, KILLED),
    PROVED("setitimer", interval, KILLED),
    END,
};
