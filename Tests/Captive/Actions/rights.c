#define _GNU_SOURCE
#include "attempt.h"

#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>
#if defined(__x86_64__)
#include <asm/prctl.h>
#endif

static struct rlimit limit;
static long raised(int resource) {
    // As high as it may be without a sandbox, which is higher than inside.
    struct rlimit wanted = {.rlim_cur = RLIM_INFINITY, .rlim_max = RLIM_INFINITY};
    getrlimit(resource, &limit);
    if (limit.rlim_max != RLIM_INFINITY && limit.rlim_max > 16) wanted = limit;
    return syscall(SYS_prlimit64, 0, resource, &wanted, NULL);
}

static struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
static struct __user_cap_data_struct capabilities[_LINUX_CAPABILITY_U32S_3];

static struct sock_filter let_all = BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
static struct sock_fprog program = {.len = 1, .filter = &let_all};
static unsigned int kill_action = SECCOMP_RET_KILL_PROCESS;

ATTEMPT(raise_files, raised(RLIMIT_NOFILE))
ATTEMPT(raise_space, raised(RLIMIT_AS))
ATTEMPT(raise_length, raised(RLIMIT_FSIZE))
ATTEMPT(raise_core, raised(RLIMIT_CORE))
#ifdef SYS_setrlimit
ATTEMPT(old_limit, syscall(SYS_getrlimit, RLIMIT_CORE, &limit) < 0 ? -1 : syscall(SYS_setrlimit, RLIMIT_CORE, &limit))
ATTEMPT(old_set_limit, syscall(SYS_setrlimit, RLIMIT_CORE, &limit))
#endif
ATTEMPT(user, syscall(SYS_setuid, 0))
ATTEMPT(same_user, syscall(SYS_setresuid, -1, -1, -1))
ATTEMPT(same_group, syscall(SYS_setresgid, -1, -1, -1))
ATTEMPT(groups, syscall(SYS_setgroups, 0, NULL))
ATTEMPT(no_capabilities, syscall(SYS_capset, &header, capabilities))
ATTEMPT(file_user, syscall(SYS_setfsuid, -1))
ATTEMPT(dumpable, syscall(SYS_prctl, PR_SET_DUMPABLE, 1, 0, 0, 0))
ATTEMPT(outlive, syscall(SYS_prctl, PR_SET_PDEATHSIG, 0, 0, 0, 0))
ATTEMPT(privileges_again, syscall(SYS_prctl, PR_SET_NO_NEW_PRIVS, 0, 0, 0, 0))
ATTEMPT(subreaper, syscall(SYS_prctl, PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0))
ATTEMPT(bounding, syscall(SYS_prctl, PR_CAPBSET_READ, 0, 0, 0, 0))
ATTEMPT(keep_capabilities, syscall(SYS_prctl, PR_SET_KEEPCAPS, 0, 0, 0, 0))
ATTEMPT(timer_slack, syscall(SYS_prctl, PR_SET_TIMERSLACK, 0, 0, 0, 0))
ATTEMPT(ask_seccomp, syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &kill_action))
ATTEMPT(filter_again, syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program))
ATTEMPT(filter_by_prctl, syscall(SYS_prctl, PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0))
ATTEMPT(landlock_again, syscall(SYS_landlock_create_ruleset, NULL, 0, 1))
ATTEMPT(be_another, syscall(SYS_personality, 0xFFFFFFFF))
ATTEMPT(mask, syscall(SYS_umask, 077))

#if defined(__x86_64__)
static unsigned long base;
ATTEMPT(segment, syscall(SYS_arch_prctl, ARCH_GET_FS, &base))
ATTEMPT(descriptor_table, syscall(SYS_modify_ldt, 0, &base, sizeof base))
ATTEMPT(ports, syscall(SYS_iopl, 0))
// getpid(2) in the manner of x32 programs.
ATTEMPT(x32, syscall(0x40000000 | SYS_getpid))

// getpid(2) in the manner of 32-bit programs, whose number for it is 20: writev(2) of 64-bit ones.
static int int80(const captive_context *context) {
    (void)context;
    long answer = 20;
    __asm__ volatile("int $0x80" : "+a"(answer) : : "memory", "r8", "r9", "r10", "r11");
    return answer < 0 ? (int)-answer : 0;
}
#endif

const captive_action captive_rights[] = {
    PROVED("prlimit64 to raise RLIMIT_NOFILE", raise_files, KILLED),
    PROVED("prlimit64 to raise RLIMIT_AS", raise_space, KILLED),
    PROVED("prlimit64 to raise RLIMIT_FSIZE", raise_length, KILLED),
    DEPENDS("prlimit64 to raise RLIMIT_CORE", raise_core, "the limit may be low already", KILLED),
#ifdef SYS_setrlimit
    PROVED("getrlimit, then setrlimit", old_limit, KILLED),
    PROVED("setrlimit", old_set_limit, KILLED),
#endif
    DEPENDS("setuid", user, "needs a privilege", KILLED),
    PROVED("setresuid", same_user, KILLED),
    PROVED("setresgid", same_group, KILLED),
    DEPENDS("setgroups", groups, "needs a privilege", KILLED),
    PROVED("setfsuid", file_user, KILLED),
    PROVED("capset", no_capabilities, KILLED),
    PROVED("prctl PR_SET_DUMPABLE", dumpable, KILLED),
    PROVED("prctl PR_SET_PDEATHSIG", outlive, KILLED),
    ANSWERED("prctl PR_SET_NO_NEW_PRIVS", privileges_again, EINVAL, KILLED),
    PROVED("prctl PR_SET_CHILD_SUBREAPER", subreaper, KILLED),
    PROVED("prctl PR_CAPBSET_READ", bounding, KILLED),
    PROVED("prctl PR_SET_KEEPCAPS", keep_capabilities, KILLED),
    PROVED("prctl PR_SET_TIMERSLACK", timer_slack, KILLED),
    PROVED("seccomp, to ask", ask_seccomp, KILLED),
    DEPENDS("seccomp, a filter on top", filter_again, "needs a privilege or no_new_privs", KILLED),
    DEPENDS("prctl PR_SET_SECCOMP", filter_by_prctl, "needs a privilege or no_new_privs", KILLED),
    DEPENDS("landlock_create_ruleset", landlock_again, "not every kernel has Landlock", KILLED),
    PROVED("personality", be_another, KILLED),
    PROVED("umask", mask, EPERM),
#if defined(__x86_64__)
    PROVED("arch_prctl", segment, KILLED),
    DEPENDS("modify_ldt", descriptor_table, "not every kernel has it", KILLED),
    DEPENDS("iopl", ports, "not every kernel has it", KILLED),
    DEPENDS("a call in the manner of x32", x32, "not every kernel has it", KILLED),
    DEPENDS("a call in the manner of 32 bits", int80, "not every kernel has it", KILLED),
#endif
    END,
};
