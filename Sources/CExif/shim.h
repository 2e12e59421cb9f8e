// libexif: orientation and the presence of GPS, camera and date.
//
// Its headers carry no nullability and its short accessors are macros: the wrappers here give both to Swift.
#pragma once
#include <libexif/exif-data.h>
#include <stddef.h>

#pragma clang assume_nonnull begin

// A macro in libexif: an entry of one directory, or NULL.
static inline ExifEntry *_Nullable shim_exif_entry(ExifData *data, ExifIfd ifd, ExifTag tag)
{
    ExifContent *_Nullable content = data->ifd[ifd];
    return content ? exif_content_get_entry(content, tag) : NULL;
}

// Entries of all directories.
static inline unsigned int shim_exif_count(ExifData *data)
{
    unsigned int count = 0;
    for (int ifd = 0; ifd < EXIF_IFD_COUNT; ifd++)
        count += data->ifd[ifd] ? data->ifd[ifd]->count : 0;
    return count;
}

// Never NULL unless memory is gone; the data is copied where it is kept.
static inline ExifData *_Nullable shim_exif_parse(const unsigned char *bytes, unsigned int length)
{
    ExifData *_Nullable data = exif_data_new();
    if (!data)
        return NULL;
    // Tags are only read here: no repairs, which would add entries that the file does not have.
    exif_data_unset_option(data, EXIF_DATA_OPTION_FOLLOW_SPECIFICATION);
    exif_data_load_data(data, bytes, length);
    return data;
}

// The first value of a SHORT entry.
static inline unsigned int shim_exif_short(ExifData *data, ExifEntry *entry)
{
    return entry->size >= 2 && entry->data ? exif_get_short(entry->data, exif_data_get_byte_order(data)) : 0;
}

#pragma clang assume_nonnull end
