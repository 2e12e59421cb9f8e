#define _GNU_SOURCE
#include "sandbox.h"

#include <linux/capability.h>
#include <stddef.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

int linux_close_from(int first) { return close_range((unsigned int)first, ~0U, 0); }

int linux_set_parent_death_signal(int signal) { return prctl(PR_SET_PDEATHSIG, signal, 0, 0, 0); }

int linux_parent_death_signal(void) {
    int signal = 0;
    return prctl(PR_GET_PDEATHSIG, &signal, 0, 0, 0) < 0 ? -1 : signal;
}

int linux_forbid_dumping(void) { return prctl(PR_SET_DUMPABLE, 0, 0, 0, 0); }

int linux_is_dumpable(void) { return prctl(PR_GET_DUMPABLE, 0, 0, 0, 0); }

int linux_forbid_new_privileges(void) { return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); }

int linux_forbids_new_privileges(void) { return prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0); }

int linux_seccomp_mode(void) { return prctl(PR_GET_SECCOMP, 0, 0, 0, 0); }

int linux_drop_capabilities(void) {
    struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3, .pid = 0};
    struct __user_cap_data_struct none[_LINUX_CAPABILITY_U32S_3];
    memset(none, 0, sizeof none);
    return (int)syscall(SYS_capset, &header, none);
}

int linux_has_capabilities(void) {
    struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3, .pid = 0};
    struct __user_cap_data_struct sets[_LINUX_CAPABILITY_U32S_3];
    if (syscall(SYS_capget, &header, sets) < 0) return -1;
    uint32_t any = 0;
    for (int word = 0; word < _LINUX_CAPABILITY_U32S_3; word++)
        any |= sets[word].effective | sets[word].permitted | sets[word].inheritable;
    return any != 0;
}

static int resource_of(linux_limit limit) {
    switch (limit) {
    case LINUX_LIMIT_ADDRESS_SPACE: return RLIMIT_AS;
    case LINUX_LIMIT_FILE_SIZE: return RLIMIT_FSIZE;
    case LINUX_LIMIT_OPEN_FILES: return RLIMIT_NOFILE;
    case LINUX_LIMIT_CORE: return RLIMIT_CORE;
    }
    return -1;
}

int linux_lower_limit(linux_limit limit, uint64_t value) {
    struct rlimit both;
    if (getrlimit(resource_of(limit), &both) < 0) return -1;
    if (both.rlim_max > value) both.rlim_max = value;
    both.rlim_cur = both.rlim_max;
    return setrlimit(resource_of(limit), &both);
}

int linux_is_limited(linux_limit limit, uint64_t value) {
    struct rlimit both;
    if (getrlimit(resource_of(limit), &both) < 0) return -1;
    return both.rlim_cur <= value && both.rlim_max <= value;
}

// The ABI of the kernel (Documentation/userspace-api/landlock.rst), as far as version 6.
struct ruleset {
    uint64_t file_system;
    uint64_t network;
    uint64_t scopes;
};

static uint64_t file_system_rights(long version) {
    if (version >= 5) return (1 << 16) - 1;
    if (version >= 3) return (1 << 15) - 1;
    if (version == 2) return (1 << 14) - 1;
    return (1 << 13) - 1;
}

static size_t ruleset_size(long version) {
    if (version >= 6) return sizeof(struct ruleset);
    return version >= 4 ? offsetof(struct ruleset, scopes) : offsetof(struct ruleset, network);
}

int linux_landlock_nothing(void) {
    const unsigned int ask_version = 1;
    long version = syscall(SYS_landlock_create_ruleset, NULL, 0, ask_version);
    if (version < 0) return -1;
    struct ruleset handled = {
        .file_system = file_system_rights(version),
        .network = version >= 4 ? 3 : 0,
        .scopes = version >= 6 ? 3 : 0,
    };
    int ruleset = (int)syscall(SYS_landlock_create_ruleset, &handled, ruleset_size(version), 0);
    if (ruleset < 0) return -1;
    int result = (int)syscall(SYS_landlock_restrict_self, ruleset, 0);
    close(ruleset);
    return result;
}
