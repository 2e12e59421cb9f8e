// Which processors a thread may use, in C because the calls are GNU's own and Swift's Glibc module leaves them out.
#pragma once

#pragma clang assume_nonnull begin

// The processors that were allowed before affinity_narrow.
typedef struct AffinityBefore {
    unsigned long mask[16];
} AffinityBefore;

// Keeps the calling thread, and those it starts from now on, on the processor it runs on. Returns 0, or -1 where that
// is not allowed and nothing was changed.
int affinity_narrow(AffinityBefore *before);

// Undoes affinity_narrow for the calling thread.
void affinity_restore(const AffinityBefore *before);

#pragma clang assume_nonnull end
