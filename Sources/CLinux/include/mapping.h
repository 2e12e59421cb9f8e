// A mapping of a file that others may cut short while it is read.
//
// In C because touching a page that the file has lost is SIGBUS, and a signal handler may call next to nothing, and
// nothing of Swift's runtime is on that list.
#pragma once

#include <stdbool.h>
#include <stddef.h>

#pragma clang assume_nonnull begin

/// mmap(2) for reading, private; NULL with errno. What is then touched by this thread and not there any more reads as
/// zeros. One mapping a thread at a time. The first one installs a handler for SIGBUS, which leaves other faults as they
/// are.
const void *_Nullable linux_mapping_open(int descriptor, size_t size);

/// munmap(2) of this thread's mapping. True when zeros were given in place of what was not there.
bool linux_mapping_close(void);

#pragma clang assume_nonnull end
