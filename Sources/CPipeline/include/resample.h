// The two inner loops of resampling, in C because Swift cannot compile one function for several instruction sets and
// choose at run time: with AVX2 they take a third of the time of the same loops for plain x86-64.
//
// Every sum is formed in the same order with the same roundings whatever the instruction set is, so a picture comes
// out the same on every machine.
#pragma once
#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

// out[i] = 0.5 + the sum over all taps of rows[tap][i] * weights[tap], for i below length. The half makes the later
// cutting-off of the fraction round.
void resample_blend_rows(float *out, const uint8_t *_Nonnull const *_Nonnull rows, const float *weights,
                         int taps, size_t length);

// For each of width pixels, the sum of taps pixels of the row beginning with pixel first[x], weighted with
// weights[x * taps + tap]; clipped to 0...255 and cut to whole numbers. bands is 1, 3 or 4. The row must be readable
// for one sample more than it is long.
void resample_blend_columns(uint8_t *out, const float *row, int bands, const int32_t *first, const float *weights,
                            int taps, int width);

#pragma clang assume_nonnull end
