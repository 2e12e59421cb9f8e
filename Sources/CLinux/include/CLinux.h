// The calls that Swift cannot make by itself: variadic, macro-made or without a C library wrapper.
#pragma once
#pragma clang assume_nonnull begin
#pragma clang assume_nonnull end
