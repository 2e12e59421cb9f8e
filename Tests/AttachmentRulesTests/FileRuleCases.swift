import AttachmentRules

/// The rules that a file is judged by.
enum FileRuleCases {
    private static func picture(
        _ type: MediaType? = .jpeg, _ width: Int = 1200, _ height: Int = 600, bytes: Int = 80_000,
        _ change: (inout AttachmentFacts) -> Void = { _ in }
    ) -> AttachmentFacts {
        var facts = AttachmentFacts(bytes: bytes, mediaType: type)
        facts.fileExtension = type?.preferredExtension
        facts.picture = AttachmentFacts.Picture(width: width, height: height)
        change(&facts)
        return facts
    }

    private static func clip(
        _ type: MediaType = .mp4, video: String? = "h264", audio: String? = "aac", seconds: Int = 10,
        header: Int? = nil, bytes: Int = 400_000
    ) -> AttachmentFacts {
        var facts = AttachmentFacts(bytes: bytes, mediaType: type)
        facts.fileExtension = type.preferredExtension
        var clip = ClipFacts(durationMilliseconds: seconds * 1000)
        clip.headerMilliseconds = header.map { $0 * 1000 }
        clip.video = video.map { ClipFacts.Video(codec: $0, width: 640, height: 360, frames: 10) }
        clip.audio = audio.map { ClipFacts.Audio(codec: $0, sampleRate: 44_100, channels: 2) }
        facts.clip = clip
        return facts
    }

    private static func judged(
        _ facts: AttachmentFacts, _ profile: Profile = .ios, strict: Bool = false
    ) -> [Finding] {
        Validator.findings(of: facts, profile: profile, strict: strict)
    }

    private static var oldPhones: Profile {
        var profile = Profile.ios
        profile.oldestSystem = 12
        return profile
    }

    static let all: [RuleCase] = type + clips + size + shape + color + memory

    private static let type: [RuleCase] = [
        .passes(.notAFile, "a picture") { judged(picture()) },
        .fails(.notAFile, "an empty file", "empty") { judged(picture(bytes: 0)) },
        .passes(.unknownContent, "a picture") { judged(picture()) },
        .fails(.unknownContent, "noise", "use jpg, png, gif") { judged(picture(nil)) },
        .passes(.typeNotAccepted, "a GIF on a phone") { judged(picture(.gif)) },
        .passes(.typeNotAccepted, "an M4A on a phone") { judged(clip(.m4a, video: nil)) },
        .fails(.typeNotAccepted, "WebP on a phone", "image/webp, which UNNotificationAttachment does not accept") {
            judged(picture(.webp))
        },
        .fails(.typeNotAccepted, "a page", "application/pdf") { judged(picture(.pdf)) },
        .fails(
            .typeNotAccepted, "a GIF on Android", "image/gif, which fcm-android does not take; convert it to jpg, png"
        ) { judged(picture(.gif), .fcmAndroid) },
        .fails(.typeNotAccepted, "a FLAC", "audio/flac") { judged(clip(.flac, video: nil, audio: "flac")) },
        .passes(.typeNotDocumented, "a JPEG") { judged(picture()) },
        .warns(.typeNotDocumented, "a HEIC", "image/heic") { judged(picture(.heic)) },
        .warns(.typeNotDocumented, "a QuickTime film", "video/quicktime") { judged(clip(.quickTime)) },
        .passes(.extensionMismatch, "jpeg for a JPEG, in capitals") { judged(picture { $0.fileExtension = "JPEG" }) },
        .passes(.extensionMismatch, "none with a type hint") {
            judged(
                picture {
                    $0.fileExtension = nil
                    $0.typeHint = "public.jpeg"
                })
        },
        .fails(.extensionMismatch, "png for a JPEG", #"".png" does not match its content, image/jpeg; name it .jpg"#) {
            judged(picture { $0.fileExtension = "png" })
        },
        .fails(.extensionMismatch, "none", "no extension") { judged(picture { $0.fileExtension = nil }) },
        .passes(.badTypeHint, "the UTI") { judged(picture { $0.typeHint = "public.jpeg" }) },
        .fails(.badTypeHint, "a MIME type", #"not "image/jpeg""#) { judged(picture { $0.typeHint = "image/jpeg" }) },
        .fails(.badTypeHint, "an extension", #"not "jpg""#) { judged(picture { $0.typeHint = "jpg" }) },
        .fails(.badTypeHint, "another type's UTI", "is not the content's type, which is public.jpeg") {
            judged(picture { $0.typeHint = "public.png" })
        },
        .passes(.doesNotDecode, "a picture that decodes") { judged(picture()) },
        .fails(.doesNotDecode, "a truncated picture", "ends in its middle") {
            judged(
                picture {
                    $0.failure = Rejection(.truncated, rule: .doesNotDecode, stage: .render, "it ends in its middle")
                })
        },
    ]

    private static let clips: [RuleCase] = [
        .passes(.codecNotAccepted, "H.264 with AAC") { judged(clip()) },
        .passes(.codecNotAccepted, "µ-law in an AU") { judged(clip(.au, video: nil, audio: "pcm_mulaw")) },
        .passes(.codecNotAccepted, "MPEG-1 with layer II in MPEG") {
            judged(clip(.mpeg, video: "mpeg1video", audio: "mp2"))
        },
        .fails(.codecNotAccepted, "MPEG-1 in MP4", "coded in mpeg1video") { judged(clip(video: "mpeg1video")) },
        .fails(.codecNotAccepted, "VP9", "coded in vp9") { judged(clip(video: "vp9")) },
        .fails(.codecNotAccepted, "Opus in MP4", "its sound is coded in opus") { judged(clip(audio: "opus")) },
        .warns(.codecNotAccepted, "AV1", "only the newest phones") { judged(clip(video: "av1")) },
        .fails(.codecNotAccepted, "no track", "neither") { judged(clip(video: nil, audio: nil)) },
        .passes(.tooLong, "30 s") { judged(clip(seconds: 30)) },
        .warns(.tooLong, "31 s", "lasts 31 s, and 30 s are the limit") { judged(clip(seconds: 31)) },
        .passes(.falseDuration, "a header that rounds") { judged(clip(seconds: 10, header: 11)) },
        .passes(.falseDuration, "no header") { judged(clip()) },
        .warns(.falseDuration, "a header of 2 s", "tells of 2 s, and it lasts 10 s") {
            judged(clip(header: 2))
        },
    ]

    private static let size: [RuleCase] = [
        .passes(.tooManyBytes, "a picture of 10 MB") { judged(picture(bytes: 10_000_000)) },
        .fails(.tooManyBytes, "a picture of one more", "10000001 bytes are more than 10000000") {
            judged(picture(bytes: 10_000_001))
        },
        .fails(.tooManyBytes, "a sound over 5 MB", "5000000, the limit for sounds") {
            judged(clip(.mp3, video: nil, audio: "mp3", bytes: 5_000_001))
        },
        .fails(.tooManyBytes, "a film over 50 MB", "50000000, the limit for films") { judged(clip(bytes: 50_000_001)) },
        .passes(.tooManyBytes, "Apple's limit on the web") { judged(picture(bytes: 10_000_001), .web) },
        .passes(.overTarget, "100,000 bytes") { judged(picture(bytes: 100_000)) },
        .passes(.overTarget, "a film") { judged(clip()) },
        .warns(.overTarget, "a byte more", "what ios aims at") { judged(picture(bytes: 100_001)) },
        .fails(.overTarget, "a byte more, strictly", "100000") { judged(picture(bytes: 100_001), strict: true) },
        .passes(.overProfileLimit, "40 KB through CleverTap") { judged(picture(bytes: 40_000), .clevertapAndroid) },
        .fails(.overProfileLimit, "41 KB through CleverTap", "41000 bytes are more than 40000, the limit of clevertap")
        {
            judged(picture(bytes: 41_000), .clevertapAndroid)
        },
    ]

    private static let shape: [RuleCase] = [
        .passes(.tooManyPixels, "200 megapixels of JPEG") { judged(picture(.jpeg, 16_384, 12_288)) },
        .fails(.tooManyPixels, "200 megapixels of PNG", "16384x12288") { judged(picture(.png, 16_384, 12_288)) },
        .fails(.tooManyPixels, "as many as there are", "2147483648x2147483648") {
            judged(picture(.jpeg, 1 << 31, 1 << 31))
        },
        .passes(.notResized, "600") { judged(picture()) },
        .warns(.notResized, "601, as it is", "601 pixels, and 600 are enough") {
            judged(picture(.jpeg, 1202, 601))
        },
        .fails(.notResized, "601, as we made it", "601") {
            judged(picture(.jpeg, 1202, 601) { $0.subject = .output })
        },
        .fails(.notResized, "601, strictly", "601") { judged(picture(.jpeg, 1202, 601), strict: true) },
        .passes(.widerThanShown, "1320") { judged(picture(.jpeg, 1320, 660)) },
        .warns(.widerThanShown, "1321", "1321") { judged(picture(.jpeg, 1321, 661)) },
        .passes(.tooNarrow, "300") { judged(picture(.jpeg, 300, 300)) },
        .warns(.tooNarrow, "299", "299 pixels wide") { judged(picture(.jpeg, 299, 299)) },
        .passes(.badRatio, "square") { judged(picture(.jpeg, 600, 600)) },
        .passes(.badRatio, "2:1") { judged(picture()) },
        .warns(.badRatio, "upright", "600x800 is outside of 1:1-2:1") { judged(picture(.jpeg, 600, 800)) },
        .warns(.badRatio, "square on Android", "7:4-9:4") { judged(picture(.jpeg, 600, 600), .fcmAndroid) },
        .passes(.notEnlarged, "600") { judged(picture()) },
        .passes(.notEnlarged, "small, but as we made it") {
            judged(picture(.jpeg, 400, 300) { $0.subject = .output })
        },
        .warns(.notEnlarged, "300", "300 pixels of 600") { judged(picture(.jpeg, 400, 300)) },
    ]

    private static let color: [RuleCase] = [
        .passes(.notSRGB, "8 bits of sRGB") { judged(picture()) },
        .fails(.notSRGB, "16 bits", "16 bits a component") {
            judged(picture(.png) { $0.picture?.bitsPerComponent = 16 })
        },
        .fails(.notSRGB, "CMYK", #""CMYK""#) {
            judged(
                picture {
                    $0.picture?.isSRGB = false
                    $0.picture?.colorName = "CMYK"
                })
        },
        .warns(.notSRGB, "Display P3", "Display P3") {
            judged(
                picture {
                    $0.picture?.isSRGB = false
                    $0.picture?.colorName = "Display P3"
                })
        },
        .fails(.notSRGB, "Display P3 as we made it", "Display P3") {
            judged(
                picture {
                    $0.subject = .output
                    $0.picture?.isSRGB = false
                    $0.picture?.colorName = "Display P3"
                })
        },
        .fails(.notStripped, "with a camera, strictly", "EXIF data") {
            judged(picture { $0.picture?.hasEXIF = true }, strict: true)
        },
        .passes(.notStripped, "upright and bare") { judged(picture()) },
        .warns(.notStripped, "turned", "orientation 6") { judged(picture { $0.picture?.orientation = 6 }) },
        .fails(.notStripped, "with a position", "position") {
            judged(
                picture {
                    $0.picture?.hasGPS = true
                    $0.picture?.hasEXIF = true
                })
        },
        .warns(.notStripped, "with a camera", "EXIF data") { judged(picture { $0.picture?.hasEXIF = true }) },
        .passes(.animationNotShown, "a GIF on a phone") { judged(picture(.gif) { $0.picture?.frames = 10 }) },
        .passes(.animationNotShown, "a still PNG") { judged(picture(.png), .web) },
        .warns(.animationNotShown, "an animated PNG on a phone", "of which ios shows the first") {
            judged(picture(.apng) { $0.picture?.frames = 10 })
        },
        .fails(.animationNotShown, "a GIF on the web", "10 frames") {
            judged(picture(.gif) { $0.picture?.frames = 10 }, .web)
        },
    ]

    private static let memory: [RuleCase] = [
        .passes(.tooManyFrames, "10 frames of 480x288") { judged(picture(.gif, 480, 288) { $0.picture?.frames = 10 }) },
        .warns(.tooManyFrames, "30 frames of 600x600", "30 frames") {
            judged(picture(.gif, 600, 600) { $0.picture?.frames = 30 })
        },
        .fails(.tooManyFrames, "100 frames of 600x600", "100 frames") {
            judged(picture(.gif, 600, 600) { $0.picture?.frames = 100 })
        },
        .fails(.tooManyFrames, "as many as there are", "9223372036854775807 bytes") {
            judged(picture(.gif, 1 << 31, 1 << 31) { $0.picture?.frames = 1 << 31 })
        },
        .passes(.overExtensionLimit, "1200x600") { judged(picture()) },
        .passes(.overExtensionLimit, "a photo on the web") { judged(picture(.jpeg, 4032, 3024), .web) },
        .fails(.overExtensionLimit, "3000x2000", "of 25165824 that there are") { judged(picture(.jpeg, 3000, 2000)) },
        .passes(.nearExtensionLimit, "1200x600") { judged(picture()) },
        .warns(.nearExtensionLimit, "1600x960", "25165824") { judged(picture(.jpeg, 1600, 960)) },
        .passes(.overOldExtensionLimit, "800x600 where iOS 12 is not served") { judged(picture(.jpeg, 1000, 600)) },
        .passes(.overOldExtensionLimit, "600x300 on iOS 12") { judged(picture(.jpeg, 600, 300), oldPhones) },
        .fails(.overOldExtensionLimit, "1000x600 on iOS 12", "of 12582912") {
            judged(picture(.jpeg, 1000, 600), oldPhones)
        },
        .passes(.overContentLimit, "1200x600") { judged(picture()) },
        .warns(.overContentLimit, "3000x2000", "of 25165824") { judged(picture(.jpeg, 3000, 2000)) },
        .fails(.overContentLimit, "6000x4000", "of 125829120") { judged(picture(.jpeg, 6000, 4000)) },
        .passes(.overImageShare, "2000x1000") { judged(picture(.jpeg, 2000, 1000)) },
        .warns(.overImageShare, "6000x600", "14401536 bytes, and 8257536 are its share") {
            judged(picture(.jpeg, 6000, 600))
        },
    ]
}
