// libavformat, libavcodec and libswscale. The wrappers here give Swift what macros and variable arguments keep from it.
#pragma once
#include <stdarg.h>
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/avutil.h>
#include <libavutil/display.h>
#include <libavutil/imgutils.h>
#include <libavutil/opt.h>
#include <libavutil/pixdesc.h>
#include <libswscale/swscale.h>

#pragma clang assume_nonnull begin

// AVERROR_EOF, AVERROR(EAGAIN), AVERROR(ENOMEM), AVERROR(EINVAL), AVERROR(EPERM): macros.
static inline int shim_end(void) { return AVERROR_EOF; }
static inline int shim_again(void) { return AVERROR(EAGAIN); }
static inline int shim_no_memory(void) { return AVERROR(ENOMEM); }
static inline int shim_invalid(void) { return AVERROR(EINVAL); }
static inline int shim_refused(void) { return AVERROR(EPERM); }

// AV_NOPTS_VALUE, a macro with a cast.
static inline int64_t shim_no_time(void) { return AV_NOPTS_VALUE; }

// The major versions that this program was built with, macros, for comparing them with those it runs with.
static inline int shim_is_built_for(unsigned format, unsigned codec, unsigned scale) {
    return format >> 16 == LIBAVFORMAT_VERSION_MAJOR && codec >> 16 == LIBAVCODEC_VERSION_MAJOR &&
           scale >> 16 == LIBSWSCALE_VERSION_MAJOR;
}

// AVFormatContext.io_open as a function that opens nothing; its type has a pointer to a pointer to an incomplete type.
static inline int shim_opens_nothing(AVFormatContext *_Nullable format, AVIOContext *_Nullable *_Nullable context,
                                     const char *_Nullable url, int flags, AVDictionary *_Nullable *_Nullable options) {
    return AVERROR(EPERM);
}
static inline void shim_forbid_opening(AVFormatContext *format) { format->io_open = shim_opens_nothing; }

// A pointer into an array of pointers that C leaves untyped in length.
static inline AVStream *shim_stream(const AVFormatContext *format, unsigned index) { return format->streams[index]; }

#pragma clang assume_nonnull end
