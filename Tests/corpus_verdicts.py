"""Where mediaprep means to judge otherwise than a corpus's MANIFEST.tsv says, and why."""

DELIBERATE = {
    "audio/ax__bbb_1ch_8kHz_aac_lc.aac": "AAC without a container: no receiver takes it",
    "audio/ax__bear.flac": "FLAC: no receiver takes it",
    "audio/ax__bear.opus": "Ogg: no receiver takes it",
    "audio/sndtheme__complete.oga": "Ogg, likewise",
    "video/ax__bbb_642x642_768kbps_30fps_vp9.webm": "WebM: no receiver takes it",
    "video/ax__sample.flv": "Flash Video: no receiver takes it",
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
