internal import AttachmentRules
internal import MediaProbe

/// What the output check lets through is, also for the probe and for a walk of its own, a bare whole JPEG.
func checkRendition(_ bytes: Span<UInt8>) -> Bool {
    let found = audited(bytes)
    require(found == audited(bytes), "a second look finds the same")
    switch found {
    case .failure(let rejection):
        require(rejection.stage == .inspect && rejection.code == .badReply, "the audit refuses in its own name")
        require(rejection.message.utf8.allSatisfy { (0x20...0x7E).contains($0) }, "messages can be printed")
    case .success(let rendition):
        checkMarkers(bytes)
        checkAgainstProbe(bytes, rendition)
    }
    return true
}

private func audited(_ bytes: Span<UInt8>) -> Result<RenditionFacts, Rejection> {
    do throws(Rejection) {
        return .success(try RenditionAudit.examine(bytes, mostPixels: 1 << 20))
    } catch {
        return .failure(error)
    }
}

/// No byte lies outside of the segments that are allowed.
private func checkMarkers(_ bytes: Span<UInt8>) {
    let allowed: Set<UInt8> = [0xE0, 0xDB, 0xC0, 0xC2, 0xC4, 0xDD, 0xDA]
    var offset = 2
    while bytes[offset + 1] != 0xD9 {
        require(bytes[offset] == 0xFF && allowed.contains(bytes[offset + 1]), "a foreign segment at \(offset)")
        let isScan = bytes[offset + 1] == 0xDA
        offset += 2 + Int(bytes[offset + 2]) << 8 + Int(bytes[offset + 3])
        while isScan, !isMarker(bytes, at: offset) { offset += 1 }
    }
    require(bytes[offset] == 0xFF && offset + 2 == bytes.count, "it ends with EOI at \(offset) of \(bytes.count)")
}

/// Neither a stuffed byte, nor a restart, nor one of several 0xFF.
private func isMarker(_ bytes: Span<UInt8>, at offset: Int) -> Bool {
    guard bytes[offset] == 0xFF else { return false }
    let code = bytes[offset + 1]
    return code != 0 && code != 0xFF && code & 0xF8 != 0xD0
}

private func checkAgainstProbe(_ bytes: Span<UInt8>, _ rendition: RenditionFacts) {
    let facts: MediaFacts
    do throws(Rejection) {
        facts = try MediaProbe.examine(bytes, limits: Limits())
    } catch {
        // A rendition is not asked how many segments it has; its length is limited.
        require([.tooManyScans, .tooManySegments].contains(error.code), "the probe refuses it: \(error)")
        return
    }
    require(facts.mediaType == .jpeg && facts.colorModel == .ycbcr, "it is \(facts.mediaType), \(facts.colorModel)")
    require(facts.width == rendition.width && facts.height == rendition.height, "the probe finds another size")
    require(facts.isInterlaced == rendition.isProgressive, "the probe finds another coding")
    require(facts.isComplete, "the probe finds it cut")
    require(facts.exif == nil && facts.hiddenBytes.isEmpty && facts.trailingBytes == 0, "something hides in it")
}
