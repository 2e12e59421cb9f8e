/// The rules OPT: what goes with the file to `UNNotificationAttachment`.
public enum OptionRules {
    /// - Parameter facts: of the file that the options are for.
    public static func findings(
        of options: AttachmentOptions, facts: AttachmentFacts, profile: Profile
    ) -> [Finding] {
        var list = FindingList(profile)
        if let rectangle = options.thumbnailClippingRectangle, !rectangle.isInUnitSquare {
            list.add(
                .badClippingRectangle, .options,
                "the thumbnail rectangle \(rectangle.text) is not in the unit square; give x, y, width and height of 0 to 1"
            )
        }
        if let time = options.thumbnailTime, let fault = fault(in: time, of: facts) {
            list.add(.badThumbnailTime, .options, fault)
        }
        return list.findings
    }

    private static func fault(in time: Double, of facts: AttachmentFacts) -> String? {
        let shown = "the thumbnail time \(time)"
        guard time.isFinite, time >= 0 else { return "\(shown) is before the start; give 0 or more" }
        if let clip = facts.clip {
            guard clip.video != nil else { return "\(shown) is of a sound, which shows no picture; leave it out" }
            let duration = Double(clip.durationMilliseconds) / 1000
            return time < duration ? nil : "\(shown) is not before the end at \(duration) s; give less"
        }
        if let picture = facts.picture {
            guard time == time.rounded(.down) else { return "\(shown) is between two frames; give a whole number" }
            return time < Double(picture.frames)
                ? nil : "\(shown) is no frame of the \(picture.frames), which are counted from 0; give less"
        }
        return nil
    }
}

extension UnitRectangle {
    /// True for a rectangle with an area, of which nothing lies outside of the picture.
    public var isInUnitSquare: Bool {
        // The sum of two shares that make a whole may miss 1 by the last bit.
        let most = 1.0.nextUp
        return [x, y, width, height].allSatisfy(\.isFinite) && x >= 0 && y >= 0 && width > 0 && height > 0
            && x + width <= most && y + height <= most
    }

    fileprivate var text: String { "(\(x), \(y), \(width), \(height))" }
}
