#include "resample.h"

#include <string.h>

// Fused multiply-add rounds once instead of twice: without it the results do not depend on the machine.
#pragma STDC FP_CONTRACT OFF

#if defined(__x86_64__)
#define FOR_EACH_INSTRUCTION_SET __attribute__((target_clones("avx2", "default")))
#else
#define FOR_EACH_INSTRUCTION_SET
#endif

typedef float Four __attribute__((vector_size(16)));

FOR_EACH_INSTRUCTION_SET
void resample_blend_rows(float *restrict out, const uint8_t *const *rows, const float *weights, int taps,
                         size_t length)
{
    // Four rows a pass: fewer passes over out, which stays in the first-level cache.
    for (size_t i = 0; i < length; i++)
        out[i] = 0.5f;
    int tap = 0;
    for (; tap + 4 <= taps; tap += 4) {
        const uint8_t *restrict a = rows[tap], *restrict b = rows[tap + 1];
        const uint8_t *restrict c = rows[tap + 2], *restrict d = rows[tap + 3];
        float wa = weights[tap], wb = weights[tap + 1], wc = weights[tap + 2], wd = weights[tap + 3];
        for (size_t i = 0; i < length; i++)
            out[i] += (a[i] * wa + b[i] * wb) + (c[i] * wc + d[i] * wd);
    }
    for (; tap < taps; tap++) {
        const uint8_t *restrict a = rows[tap];
        float wa = weights[tap];
        for (size_t i = 0; i < length; i++)
            out[i] += a[i] * wa;
    }
}

static inline uint8_t clipped(float value)
{
    return value <= 0 ? 0 : value >= 255 ? 255 : (uint8_t)value;
}

static inline Four load_four(const float *from)
{
    Four four;
    memcpy(&four, from, sizeof four);
    return four;
}

// A pixel is read as four samples, the fourth being its neighbour's where there are three; two sums hide the latency
// of adding.
static inline __attribute__((always_inline)) Four blend_pixel(const float *from, const float *weights, int taps,
                                                              int bands)
{
    Four even = {0}, odd = {0};
    int tap = 0;
    for (; tap + 2 <= taps; tap += 2) {
        even += load_four(from) * weights[tap];
        odd += load_four(from + bands) * weights[tap + 1];
        from += 2 * bands;
    }
    if (tap < taps)
        even += load_four(from) * weights[tap];
    return even + odd;
}

FOR_EACH_INSTRUCTION_SET
void resample_blend_columns(uint8_t *restrict out, const float *restrict row, int bands, const int32_t *first,
                            const float *restrict weights, int taps, int width)
{
    switch (bands) {
    case 1:
        for (int x = 0; x < width; x++, weights += taps) {
            const float *from = row + first[x];
            float sum = 0;
            for (int tap = 0; tap < taps; tap++)
                sum += from[tap] * weights[tap];
            out[x] = clipped(sum);
        }
        break;
    case 3:
        for (int x = 0; x < width; x++, weights += taps, out += 3) {
            Four sum = blend_pixel(row + (size_t)first[x] * 3, weights, taps, 3);
            out[0] = clipped(sum[0]);
            out[1] = clipped(sum[1]);
            out[2] = clipped(sum[2]);
        }
        break;
    default:
        for (int x = 0; x < width; x++, weights += taps, out += 4) {
            Four sum = blend_pixel(row + (size_t)first[x] * 4, weights, taps, 4);
            for (int band = 0; band < 4; band++)
                out[band] = clipped(sum[band]);
        }
        break;
    }
}
