// libseccomp: the filter of system calls. Its actions are macros and its rules are added by a variadic function; the
// wrappers here give Swift values and arrays.
#pragma once
#include <errno.h>
#include <linux/prctl.h>
#include <linux/sched.h>
#include <seccomp.h>

#pragma clang assume_nonnull begin

// SCMP_ACT_KILL_PROCESS, a macro of unsigned type.
static inline uint32_t shim_kill_process(void) { return SCMP_ACT_KILL_PROCESS; }

// SCMP_ACT_ALLOW, likewise.
static inline uint32_t shim_allow(void) { return SCMP_ACT_ALLOW; }

// SCMP_ACT_ERRNO, a macro with an argument.
static inline uint32_t shim_fail(int error) { return SCMP_ACT_ERRNO((uint16_t)error); }

// seccomp_init: NULL when memory is gone.
static inline scmp_filter_ctx _Nullable shim_filter(uint32_t action) { return seccomp_init(action); }

// Arguments that rules ask for. Here, because their headers are no part of Swift's Glibc module.
enum {
    // What pthread_create asks for.
    SHIM_CLONE_THREAD = CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SYSVSEM | CLONE_SIGHAND | CLONE_THREAD |
                        CLONE_SETTLS | CLONE_PARENT_SETTID | CLONE_CHILD_CLEARTID,
    SHIM_SET_NAME = PR_SET_NAME,
    SHIM_GET_SECCOMP = PR_GET_SECCOMP,
    // <linux/fcntl.h>, which does not go together with the C library's own.
    SHIM_GET_SEALS = 1024 + 10,
};

#pragma clang assume_nonnull end
