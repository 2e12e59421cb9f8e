#include "resample.h"

#include <string.h>

// Fused multiply-add rounds once instead of twice: without it the results do not depend on the machine.
#pragma STDC FP_CONTRACT OFF

#if defined(__x86_64__)
#include <immintrin.h>
#endif
// The choice among the clones is made before ThreadSanitizer has started, and that does not survive it.
#if defined(__x86_64__) && !__has_feature(thread_sanitizer)
#define FOR_EACH_INSTRUCTION_SET __attribute__((target_clones("avx2", "default")))
#else
#define FOR_EACH_INSTRUCTION_SET
#endif

typedef float Four __attribute__((vector_size(16)));

static void blend_rows_from(size_t start, float *restrict out, const uint8_t *const *rows, const int16_t *weights,
                            int taps, size_t length)
{
    for (size_t i = start; i < length; i++) {
        int32_t sum = 0;
        for (int tap = 0; tap < taps; tap++)
            sum += rows[tap][i] * weights[tap];
        out[i] = (float)sum * (1.0f / RESAMPLE_ONE);
    }
}

#if defined(__x86_64__)
// Two rows at a time: their samples side by side as 16-bit numbers are what the multiply-and-add-pairs instruction
// takes. 32 samples stay in registers over all taps. Returns how many samples it did.
__attribute__((target("avx2"))) static size_t blend_rows_avx2(float *out, const uint8_t *const *rows,
                                                              const int16_t *weights, int taps, size_t length)
{
    const __m256i zero = _mm256_setzero_si256();
    const __m256 one = _mm256_set1_ps(1.0f / RESAMPLE_ONE);
    size_t i = 0;
    for (; i + 32 <= length; i += 32) {
        __m256i sums[4] = {zero, zero, zero, zero};
        for (int tap = 0; tap < taps; tap += 2) {
            int32_t pair;
            memcpy(&pair, weights + tap, sizeof pair);
            __m256i weight = _mm256_set1_epi32(pair);
            __m256i a = _mm256_loadu_si256((const __m256i *)(const void *)(rows[tap] + i));
            __m256i b = _mm256_loadu_si256((const __m256i *)(const void *)(rows[tap + 1] + i));
            __m256i low = _mm256_unpacklo_epi8(a, b), high = _mm256_unpackhi_epi8(a, b);
            __m256i parts[4] = {_mm256_unpacklo_epi8(low, zero), _mm256_unpackhi_epi8(low, zero),
                                _mm256_unpacklo_epi8(high, zero), _mm256_unpackhi_epi8(high, zero)};
            for (int part = 0; part < 4; part++)
                sums[part] = _mm256_add_epi32(sums[part], _mm256_madd_epi16(parts[part], weight));
        }
        // Unpacking works on halves of 16 bytes: part n holds samples 4n to 4n+3 and 16 more than those.
        for (int part = 0; part < 4; part++) {
            __m256 scaled = _mm256_mul_ps(_mm256_cvtepi32_ps(sums[part]), one);
            _mm_storeu_ps(out + i + part * 4, _mm256_castps256_ps128(scaled));
            _mm_storeu_ps(out + i + part * 4 + 16, _mm256_extractf128_ps(scaled, 1));
        }
    }
    return i;
}
#endif

void resample_blend_rows(float *out, const uint8_t *const *rows, const int16_t *weights, int taps, size_t length)
{
    size_t done = 0;
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2"))
        done = blend_rows_avx2(out, rows, weights, taps, length);
#endif
    blend_rows_from(done, out, rows, weights, taps, length);
}

static inline uint8_t clipped(float value)
{
    value += 0.5f;
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
