internal import AttachmentRules

/// One kind of input, and what has to hold for every one of its inputs.
struct FuzzTarget: Sendable {
    /// Also the name of its folder of seeds.
    let name: String
    /// Stops the program where something does not hold; false keeps an input that is none of this target's out of the
    /// corpus.
    let check: @Sendable (UnsafeBufferPointer<UInt8>) -> Bool

    static let all = [
        FuzzTarget(name: "identify") { checkIdentification($0.span) },
        FuzzTarget(name: "jpeg") { checkProbe($0.span, of: [.jpeg]) },
        FuzzTarget(name: "png") { checkProbe($0.span, of: [.png, .apng]) },
        FuzzTarget(name: "gif") { checkProbe($0.span, of: [.gif]) },
        FuzzTarget(name: "webp") { checkProbe($0.span, of: [.webp]) },
        FuzzTarget(name: "heif") { checkProbe($0.span, of: [.heic, .heif, .avif]) },
        FuzzTarget(name: "tiff") { checkProbe($0.span, of: [.tiff]) },
        FuzzTarget(name: "exif") { checkExif(Array($0)) },
        FuzzTarget(name: "rendition") { checkRendition($0.span) },
        FuzzTarget(name: "reply") { checkReply(Array($0)) },
    ]
}

/// Stops the program with a reason where something does not hold; optimisation does not remove it.
func require(_ holds: Bool, _ what: @autoclosure () -> String) {
    if !holds { fatalError("does not hold: \(what())") }
}
