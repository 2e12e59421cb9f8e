internal import AttachmentRules
internal import MediaProbe

/// What `identify` says stays the same, and `examine` agrees with it.
func checkIdentification(_ bytes: Span<UInt8>) -> Bool {
    let type = MediaProbe.identify(bytes)
    require(type == MediaProbe.identify(bytes), "a second look finds the same type")
    var code: Rejection.Code?
    switch probed(bytes) {
    case .success(let facts): require(isType(of: facts, type), "a \(facts.mediaType) in a \(String(describing: type))")
    case .failure(let rejection): code = rejection.code
    }
    require((code == .empty) == bytes.isEmpty, "only nothing is refused as empty")
    require((code == .unknownType) == (type == nil && !bytes.isEmpty), "what has a type is not of unknown type")
    require((code == .typeNotAllowed) == (type?.isDecodablePicture == false), "what is no picture is refused as such")
    if let type { checkClip(bytes, type) }
    return true
}

/// What is no sound or film that is taken is refused as such, and what is one for its length alone.
private func checkClip(_ bytes: Span<UInt8>, _ type: MediaType) {
    var code: Rejection.Code?
    do throws(Rejection) {
        try MediaProbe.admit(clip: bytes, as: type)
    } catch {
        code = error.code
    }
    let isTaken = type.support != .none && type.family != .image
    require((code == .typeNotAllowed) == !isTaken, "a type is taken or not, whatever the bytes")
    require([nil, .typeNotAllowed, .truncated, .unsupportedCoding].contains(code), "\(String(describing: code))")
}

/// What has to hold for the facts and the refusals of a format's probe.
func checkProbe(_ bytes: Span<UInt8>, of types: Set<MediaType>) -> Bool {
    guard let type = MediaProbe.identify(bytes), types.contains(type) else { return false }
    let found = probed(bytes)
    require(found == probed(bytes), "a second look finds the same")
    switch found {
    case .failure(let rejection):
        require(rejection.stage == .probe, "the probe refuses in its own name")
        require(rejection.message.utf8.allSatisfy { (0x20...0x7E).contains($0) }, "messages can be printed")
        require(![.empty, .unknownType, .typeNotAllowed].contains(rejection.code), "its type is one of ours")
    case .success(let facts):
        require(isType(of: facts, type), "a \(facts.mediaType) in a \(type)")
        checkNumbers(facts, fileBytes: bytes.count)
        checkRanges(facts, fileBytes: bytes.count)
        if isAdmitted(facts) { checkStream(of: bytes, facts) }
    }
    return true
}

/// A PNG that is cut inside the chunk that makes it an animation is none yet.
private func isType(of facts: MediaFacts, _ type: MediaType?) -> Bool {
    facts.mediaType == type || (facts.mediaType == .png && type == .apng && !facts.isComplete)
}

func probed(_ bytes: Span<UInt8>) -> Result<MediaFacts, Rejection> {
    do throws(Rejection) {
        return .success(try MediaProbe.examine(bytes, limits: Limits()))
    } catch {
        return .failure(error)
    }
}

private func checkNumbers(_ facts: MediaFacts, fileBytes: Int) {
    require(facts.width >= 1 && facts.height >= 1, "a picture of \(facts.width)x\(facts.height)")
    require(facts.frames >= 1, "\(facts.frames) frames")
    require((1...64).contains(facts.bitsPerComponent), "\(facts.bitsPerComponent) bits")
    require((0..<fileBytes).contains(facts.trailingBytes), "\(facts.trailingBytes) trailing bytes of \(fileBytes)")
    require(facts.workingMemory > 0, "\(facts.workingMemory) bytes of working memory")
    require(facts.trailingBytes == 0 || facts.notes.contains { $0.code == .trailingBytes }, "what trails is noted")
}

/// What is removed from a file, and what is read from it elsewhere, lies in it and does not overlap.
private func checkRanges(_ facts: MediaFacts, fileBytes: Int) {
    var end = 0
    for hidden in facts.hiddenBytes {
        require(hidden.lowerBound >= end && !hidden.isEmpty, "hidden bytes \(hidden) after \(end)")
        end = hidden.upperBound
    }
    require(end <= fileBytes, "hidden bytes up to \(end) of \(fileBytes)")
    guard let exif = facts.exif else { return }
    require(exif.lowerBound > 0 && exif.upperBound <= fileBytes && !exif.isEmpty, "EXIF \(exif) of \(fileBytes)")
    require(!facts.hiddenBytes.contains { $0.overlaps(exif) }, "EXIF \(exif) is hidden")
}

private func isAdmitted(_ facts: MediaFacts) -> Bool {
    do throws(Rejection) {
        try MediaProbe.admit(facts, limits: Limits())
        require(facts.isComplete, "only whole files are admitted")
        return true
    } catch {
        require(error.stage == .probe, "the probe refuses in its own name")
        return false
    }
}
