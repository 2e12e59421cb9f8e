// The arguments of this program as the kernel handed them over.
#pragma once

#pragma clang assume_nonnull begin

/// Argument `index`, that of the program's name being 0; NULL behind the last.
///
/// Why here: Swift finds the arguments by /proc and by where the environment lies. Without /proc, and where a preloaded
/// library has moved the environment, it sees none. To a function that runs before main glibc hands them.
const char *_Nullable linux_argument(int index);

#pragma clang assume_nonnull end
