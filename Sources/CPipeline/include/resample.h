// The two inner loops of resampling, in C because Swift cannot compile one function for several instruction sets and
// choose at run time: for a photo they take 5 ms with AVX2, where the same loops in Swift for plain x86-64 took 10.
//
// Whatever the instruction set is, every sum has the same terms, order and roundings, so a picture comes out the same
// on every machine.
#pragma once
#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

// One in the weights of resample_blend_rows.
enum { RESAMPLE_ONE = 1 << 14 };

// out[i] = the sum over all taps of rows[tap][i] * weights[tap] / RESAMPLE_ONE, for i below length. taps is even.
void resample_blend_rows(float *out, const uint8_t *_Nonnull const *_Nonnull rows, const int16_t *weights, int taps,
                         size_t length);

// For each of width pixels, the sum of taps pixels of the row beginning with pixel first[x], weighted with
// weights[x * taps + tap]; rounded and clipped to 0...255. bands is 1, 3 or 4. The row must be readable for one sample
// more than it is long.
void resample_blend_columns(uint8_t *out, const float *row, int bands, const int32_t *first, const float *weights,
                            int taps, int width);

#pragma clang assume_nonnull end
