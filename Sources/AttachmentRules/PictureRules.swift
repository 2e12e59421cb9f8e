/// The rules DIM, COL and ANI002.
enum PictureRules {
    static func judge(
        _ picture: AttachmentFacts.Picture, _ type: MediaType, of facts: AttachmentFacts, _ strict: Bool,
        _ list: inout FindingList
    ) {
        let subject = facts.subject
        // Receivers show wide colours and turn pictures by themselves: no reason to refuse what others made.
        let ours: Severity = strict || subject == .output ? .error : .warning
        judgeSize(picture, type, subject, as: ours, &list)
        if picture.bitsPerComponent > 8 || !picture.isSRGB {
            let depth = picture.bitsPerComponent > 8 ? ["it has \(picture.bitsPerComponent) bits a component"] : []
            let color = picture.isSRGB ? [] : ["its colours are \(Push.quoted(picture.colorName ?? "not sRGB"))"]
            let isOdd = picture.bitsPerComponent > 8 || picture.colorName == "CMYK"
            list.add(
                .notSRGB, subject, as: isOdd ? .error : ours,
                "\((depth + color).joined(separator: " and ")); convert it to 8 bits of sRGB")
        }
        if picture.orientation != 1 || picture.hasGPS || picture.hasEXIF {
            let parts =
                (picture.orientation != 1 ? ["it is turned by its EXIF orientation \(picture.orientation)"] : [])
                + (picture.hasGPS ? ["it carries a position"] : picture.hasEXIF ? ["it carries EXIF data"] : [])
            // Whoever gets the push would know where the picture was taken.
            list.add(
                .notStripped, subject, as: picture.hasGPS ? .error : ours,
                "\(parts.joined(separator: " and ")); turn it upright and strip it")
        }
        if picture.frames > 1, !list.profile.animation.contains(type) {
            list.add(
                .animationNotShown, subject,
                "it has \(picture.frames) frames, of which \(list.profile.name) shows the first; supply a still picture"
            )
        }
    }

    private static func judgeSize(
        _ picture: AttachmentFacts.Picture, _ type: MediaType, _ subject: Finding.Subject,
        as severity: Severity, _ list: inout FindingList
    ) {
        let (width, height) = (picture.width, picture.height)
        let (long, short) = (max(width, height), min(width, height))
        let profile = list.profile
        let limits = Limits()
        let mostPixels = type == .jpeg ? limits.shrinkOnLoadPixels : limits.wholePixels
        if width.multipliedReportingOverflow(by: height).partialValue > mostPixels
            || width.multipliedReportingOverflow(by: height).overflow
        {
            list.add(
                .tooManyPixels, subject,
                "\(width)x\(height) pixels are more than the \(mostPixels) that are decoded; make it smaller")
        }
        let target = profile.recipe.shortEdge
        if short > target {
            list.add(
                .notResized, subject, as: severity,
                "its short edge has \(short) pixels, and \(target) are enough; mediaprep batch makes it smaller")
        }
        if let longest = profile.longestEdge, long > longest {
            list.add(
                .widerThanShown, subject,
                "its long edge has \(long) pixels, and no more than \(longest) are shown; crop it or make it smaller")
        }
        if let least = profile.leastWidth, width < least {
            list.add(
                .tooNarrow, subject, "it is \(width) pixels wide, and receivers ask for \(least); use a larger picture")
        }
        if let ratio = profile.ratio, !ratio.contains(width: width, height: height) {
            list.add(
                .badRatio, subject,
                "\(width)x\(height) is outside of \(ratio.text) and will be cropped or letter-boxed; crop it yourself")
        }
        if subject == .source, short < target {
            list.add(
                .notEnlarged, subject,
                "its short edge has \(short) pixels of \(target), and it is not enlarged; use a larger picture")
        }
    }
}
