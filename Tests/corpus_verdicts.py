"""Where mediaprep means to judge otherwise than a corpus's MANIFEST.tsv says, and why."""

DELIBERATE = {
    "corrupt/pil__truncated_end_chunk.png":
        "a PNG whose IEND is cut is an upload that did not finish: refused as truncated",
    "jpeg_odd/ljt__testimgari.jpg":
        "an arithmetic-coded JPEG, which libjpeg decodes to half a picture without a word when it ends early",
}

# The same for `mediaprep validate`, which judges a file as it is.
JUDGED_OTHERWISE = {
    "png/pil__exif_imagemagick_orientation.png":
        "its orientation lies in a text chunk of ImageMagick's own, which no receiver reads",
}
