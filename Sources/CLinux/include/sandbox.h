// The calls by which a process takes rights from itself, for good. Each has a question beside it that asks the kernel
// whether it took effect.
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#pragma clang assume_nonnull begin

/// close_range(2) from `first` to the last. Why here: declared for _GNU_SOURCE only.
int linux_close_from(int first);

/// prctl(PR_SET_PDEATHSIG). Why here: prctl is variadic.
int linux_set_parent_death_signal(int signal);

/// prctl(PR_GET_PDEATHSIG): the signal, 0 for none.
int linux_parent_death_signal(void);

/// prctl(PR_SET_DUMPABLE) to 0: no core, no ptrace(2), and /proc/self belongs to root.
int linux_forbid_dumping(void);

/// prctl(PR_GET_DUMPABLE): 0 when it is forbidden.
int linux_is_dumpable(void);

/// prctl(PR_SET_NO_NEW_PRIVS).
int linux_forbid_new_privileges(void);

/// prctl(PR_GET_NO_NEW_PRIVS): 1 when they are forbidden.
int linux_forbids_new_privileges(void);

/// capset(2) to nothing. Why here: glibc has no wrapper.
int linux_drop_capabilities(void);

/// capget(2): 1 when some capability is left, 0 when none is.
int linux_has_capabilities(void);

/// prctl(PR_GET_SECCOMP): 2 when a filter is in force.
int linux_seccomp_mode(void);

/// The limits that linux_lower_limit knows. Why here: the C type of RLIMIT_* depends on _GNU_SOURCE.
typedef enum {
    LINUX_LIMIT_ADDRESS_SPACE,
    LINUX_LIMIT_FILE_SIZE,
    LINUX_LIMIT_OPEN_FILES,
    LINUX_LIMIT_CORE,
} linux_limit;

/// setrlimit(2) of both limits, to no more than the hard limit is already. Why here: as above.
int linux_lower_limit(linux_limit limit, uint64_t value);

/// getrlimit(2): 1 when both limits are at most `value`, else 0.
int linux_is_limited(linux_limit limit, uint64_t value);

/// landlock_create_ruleset(2) and landlock_restrict_self(2): everything that this kernel's Landlock knows is handled
/// and nothing is allowed - the file system, since version 4 binding and connecting TCP, since version 6 abstract
/// sockets of and signals to processes outside. Only for the calling thread and those that it starts later.
/// Why here: glibc has no wrappers, and Debian 12's headers know version 2.
int linux_landlock_nothing(void);

#pragma clang assume_nonnull end
