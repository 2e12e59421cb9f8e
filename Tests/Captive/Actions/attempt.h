// How the tables of attempts are written.
#pragma once

#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "actions.h"

// The filter ends the process.
#define KILLED (-SIGSYS)

// An attempt by one system call, or by an expression of several.
#define ATTEMPT(function, call) \
    static int function(const captive_context *context) { \
        (void)context; \
        return (call) < 0 ? errno : 0; \
    }

// Rows: an attempt that succeeds without a sandbox, whoever makes it; one that the kernel answers with an error because
// success would harm the machine or because an argument is wrong on purpose; and one that depends on the system.
#define PROVED(name, attempt, confined) {name, attempt, 0, NULL, confined}
#define ANSWERED(name, attempt, answer, confined) {name, attempt, answer, NULL, confined}
#define DEPENDS(name, attempt, why, confined) {name, attempt, 0, why, confined}
#define END {NULL, NULL, 0, NULL, 0}

extern const captive_action captive_files[];
extern const captive_action captive_descriptors[];
extern const captive_action captive_sockets[];
extern const captive_action captive_processes[];
extern const captive_action captive_rights[];
extern const captive_action captive_kernel[];
extern const captive_action captive_needs[];
