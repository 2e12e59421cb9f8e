// What somebody would try who has taken over a worker: each action is one attempt, by raw system calls.
#pragma once

#pragma clang assume_nonnull begin

/// What an attempt has at hand.
typedef struct {
    /// The process that started this one.
    int parent;
    /// The job's source: a sealed memory file, a program in itself.
    int source;
    /// The job's result: a memory file that may be written.
    int result;
    /// The result of an earlier job, sealed since.
    int kept;
    /// A file that was open before the sandbox was entered.
    int left_open;
} captive_context;

/// One attempt.
typedef struct {
    const char *_Nullable name;
    /// 0 when it succeeded, else its errno. Its working directory holds `file` and `victim`.
    int (*_Nullable attempt)(const captive_context *context);
    /// What it comes to without a sandbox: 0 for success, an errno, or the negative number of the signal that ends it.
    int when_free;
    /// Why nobody can say what it comes to without a sandbox; it is then only known not to be the sandbox's answer.
    const char *_Nullable unproved;
    /// What it comes to inside, in the same terms.
    int when_confined;
} captive_action;

/// What is attempted, by what it goes for.
typedef enum {
    CAPTIVE_FILES,
    CAPTIVE_DESCRIPTORS,
    CAPTIVE_SOCKETS,
    CAPTIVE_PROCESSES,
    CAPTIVE_RIGHTS,
    CAPTIVE_KERNEL,
    /// What decoding needs: the only attempts that have to succeed inside, too.
    CAPTIVE_NEEDS,
} captive_group;

/// The attempts of one group, up to one without a name; NULL behind the last group.
const captive_action *_Nullable captive_actions(captive_group group);

#pragma clang assume_nonnull end
