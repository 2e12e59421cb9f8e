// What a process still does when it dies of a fatal signal: it renames what the dying thread had in hand.
//
// In C because a signal handler may call next to nothing, and nothing of Swift's runtime is on that list.
#pragma once

#pragma clang assume_nonnull begin

typedef struct linux_crash_mark linux_crash_mark;

/// A mark that nobody holds: `from` will be renamed to `to`. NULL with errno when there is no memory. The first one
/// installs a handler for SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT and SIGTRAP; the process dies of the signal anyway.
linux_crash_mark *_Nullable linux_crash_mark_create(const char *from, const char *to);

/// Makes the calling thread the one and only holder, and gives it an alternate signal stack where it has none.
void linux_crash_mark_hold(linux_crash_mark *mark);

/// Nobody holds it any more, until somebody does again.
void linux_crash_mark_release(linux_crash_mark *mark);

/// Nothing will be renamed any more. The mark must not be used again.
void linux_crash_mark_free(linux_crash_mark *mark);

#pragma clang assume_nonnull end
