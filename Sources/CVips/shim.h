// libvips: what the worker decodes and encodes with.
//
// Its operations take a variadic, NULL-terminated list of options, which Swift cannot call: each wrapper here fixes
// the options of one call that we use, and gives every pointer its nullability. Nothing else is decided here.
#pragma once
#include <vips/vips.h>
#include <vips/vector.h>

#pragma clang assume_nonnull begin

// The loaders: variadic. Orientation is never applied by them, and no loader is ever found by sniffing.

static inline int shim_jpegload(const void *data, size_t length, int shrink, VipsImage *_Nullable *_Nonnull out)
{
    return vips_jpegload_buffer((void *)data, length, out, "shrink", shrink, "access", VIPS_ACCESS_SEQUENTIAL,
                                "fail_on", VIPS_FAIL_ON_WARNING, NULL);
}

static inline int shim_pngload(const void *data, size_t length, VipsImage *_Nullable *_Nonnull out)
{
    return vips_pngload_buffer((void *)data, length, out, "access", VIPS_ACCESS_SEQUENTIAL, "fail_on",
                               VIPS_FAIL_ON_WARNING, NULL);
}

static inline int shim_gifload(const void *data, size_t length, int page, int n,
                               VipsImage *_Nullable *_Nonnull out)
{
    return vips_gifload_buffer((void *)data, length, out, "page", page, "n", n, "access", VIPS_ACCESS_SEQUENTIAL,
                               "fail_on", VIPS_FAIL_ON_WARNING, NULL);
}

static inline int shim_webpload(const void *data, size_t length, double scale, VipsImage *_Nullable *_Nonnull out)
{
    return vips_webpload_buffer((void *)data, length, out, "scale", scale, "access", VIPS_ACCESS_SEQUENTIAL,
                                "fail_on", VIPS_FAIL_ON_WARNING, NULL);
}

static inline int shim_heifload(const void *data, size_t length, VipsImage *_Nullable *_Nonnull out)
{
    return vips_heifload_buffer((void *)data, length, out, "access", VIPS_ACCESS_SEQUENTIAL, "fail_on",
                                VIPS_FAIL_ON_WARNING, NULL);
}

static inline int shim_tiffload(const void *data, size_t length, VipsImage *_Nullable *_Nonnull out)
{
    return vips_tiffload_buffer((void *)data, length, out, "access", VIPS_ACCESS_SEQUENTIAL, "fail_on",
                                VIPS_FAIL_ON_WARNING, NULL);
}

// The savers: variadic. What we publish is always JPEG; the other formats exist for generated test pictures.

// Chroma is halved at every quality: left alone, libvips stops doing so at Q 90.
static inline int shim_jpegsave(VipsImage *image, int quality, gboolean progressive, gboolean strip,
                                void *_Nullable *_Nonnull data, size_t *length)
{
    return vips_jpegsave_buffer(image, data, length, "Q", quality, "optimize_coding", TRUE, "interlace", progressive,
                                "subsample_mode", VIPS_FOREIGN_SUBSAMPLE_ON, "strip", strip, NULL);
}

static inline int shim_pngsave(VipsImage *image, int bitdepth, gboolean palette, gboolean interlace,
                               void *_Nullable *_Nonnull data, size_t *length)
{
    return vips_pngsave_buffer(image, data, length, "compression", 1, "bitdepth", bitdepth, "palette", palette,
                               "interlace", interlace, NULL);
}

static inline int shim_gifsave(VipsImage *image, void *_Nullable *_Nonnull data, size_t *length)
{
    return vips_gifsave_buffer(image, data, length, "effort", 1, NULL);
}

static inline int shim_webpsave(VipsImage *image, int quality, gboolean lossless, gboolean strip,
                                void *_Nullable *_Nonnull data, size_t *length)
{
    return vips_webpsave_buffer(image, data, length, "Q", quality, "lossless", lossless, "effort", 0, "strip", strip,
                                NULL);
}

static inline int shim_tiffsave(VipsImage *image, VipsForeignTiffCompression compression,
                                void *_Nullable *_Nonnull data, size_t *length)
{
    return vips_tiffsave_buffer(image, data, length, "compression", compression, NULL);
}

static inline int shim_heifsave(VipsImage *image, int quality, VipsForeignHeifCompression compression,
                                void *_Nullable *_Nonnull data, size_t *length)
{
    return vips_heifsave_buffer(image, data, length, "Q", quality, "compression", compression, "effort", 0, NULL);
}

// Pixel operations: variadic.

static inline int shim_flatten(VipsImage *in, VipsImage *_Nullable *_Nonnull out, VipsArrayDouble *background,
                               double max_alpha)
{
    return vips_flatten(in, out, "background", background, "max_alpha", max_alpha, NULL);
}

static inline int shim_premultiply(VipsImage *in, VipsImage *_Nullable *_Nonnull out)
{
    return vips_premultiply(in, out, NULL);
}

static inline int shim_unpremultiply(VipsImage *in, VipsImage *_Nullable *_Nonnull out)
{
    return vips_unpremultiply(in, out, NULL);
}

static inline int shim_resize(VipsImage *in, VipsImage *_Nullable *_Nonnull out, double scale, double vscale)
{
    return vips_resize(in, out, scale, "vscale", vscale, "kernel", VIPS_KERNEL_LANCZOS3, NULL);
}

static inline int shim_colourspace(VipsImage *in, VipsImage *_Nullable *_Nonnull out, VipsInterpretation space)
{
    return vips_colourspace(in, out, space, NULL);
}

static inline int shim_cast(VipsImage *in, VipsImage *_Nullable *_Nonnull out, VipsBandFormat format)
{
    return vips_cast(in, out, format, NULL);
}

static inline int shim_extract_bands(VipsImage *in, VipsImage *_Nullable *_Nonnull out, int first, int count)
{
    return vips_extract_band(in, out, first, "n", count, NULL);
}

static inline int shim_bandjoin2(VipsImage *a, VipsImage *b, VipsImage *_Nullable *_Nonnull out)
{
    return vips_bandjoin2(a, b, out, NULL);
}

static inline int shim_copy_as(VipsImage *in, VipsImage *_Nullable *_Nonnull out, VipsInterpretation space)
{
    return vips_copy(in, out, "interpretation", space, NULL);
}

static inline int shim_linear1(VipsImage *in, VipsImage *_Nullable *_Nonnull out, double a, double b)
{
    return vips_linear1(in, out, a, b, NULL);
}

// From the embedded profile to the named one, 8 bits a component. Perceptual is the one intent that every profile has:
// a profile without the asked one is applied wrongly and only a warning says so.
static inline int shim_icc_from_embedded(VipsImage *in, VipsImage *_Nullable *_Nonnull out, const char *output)
{
    return vips_icc_transform(in, out, output, "embedded", TRUE, "intent", VIPS_INTENT_PERCEPTUAL, "depth", 8,
                              NULL);
}

// From one named profile to another, whatever is embedded, 8 bits a component.
static inline int shim_icc_from_named(VipsImage *in, VipsImage *_Nullable *_Nonnull out, const char *input,
                                      const char *output)
{
    return vips_icc_transform(in, out, output, "input_profile", input, "embedded", FALSE, "intent",
                              VIPS_INTENT_PERCEPTUAL, "depth", 8, NULL);
}

// The centre of a crop of this size by libvips's attention, in pixels. What makes the crop itself is not computed.
static inline int shim_attention(VipsImage *in, int width, int height, int *x, int *y)
{
    VipsImage *_Nullable out = NULL;
    int result = vips_smartcrop(in, (VipsImage **)&out, width, height, "interesting", VIPS_INTERESTING_ATTENTION,
                                "attention_x", x, "attention_y", y, NULL);
    if (out)
        g_object_unref(out);
    return result;
}

static inline int shim_gaussnoise(VipsImage *_Nullable *_Nonnull out, int width, int height, double sigma, int seed)
{
    return vips_gaussnoise(out, width, height, "mean", 0.0, "sigma", sigma, "seed", seed, NULL);
}

static inline int shim_add(VipsImage *a, VipsImage *b, VipsImage *_Nullable *_Nonnull out)
{
    return vips_add(a, b, out, NULL);
}

static inline int shim_extract_area(VipsImage *in, VipsImage *_Nullable *_Nonnull out, int left, int top, int width,
                                    int height)
{
    return vips_extract_area(in, out, left, top, width, height, NULL);
}

static inline int shim_join_down(VipsImage *a, VipsImage *b, VipsImage *_Nullable *_Nonnull out)
{
    return vips_join(a, b, out, VIPS_DIRECTION_VERTICAL, NULL);
}

static inline int shim_rot(VipsImage *in, VipsImage *_Nullable *_Nonnull out, VipsAngle angle)
{
    return vips_rot(in, out, angle, NULL);
}

static inline int shim_flip(VipsImage *in, VipsImage *_Nullable *_Nonnull out)
{
    return vips_flip(in, out, VIPS_DIRECTION_HORIZONTAL, NULL);
}

// A macro in libvips: the address of one pixel of a prepared region.
static inline const void *shim_region_address(VipsRegion *region, int x, int y)
{
    return VIPS_REGION_ADDR(region, x, y);
}

// Macros in GObject: casts between its types.
static inline void shim_unref(void *object)
{
    g_object_unref(object);
}

#pragma clang assume_nonnull end
