internal import AttachmentRules
internal import Exif
internal import MediaProbe

/// What a decoder is handed is the same picture, and nothing can be taken from it any more.
func checkStream(of bytes: Span<UInt8>, _ facts: MediaFacts) {
    let stream = DecoderStream(of: bytes, facts: facts, limits: Limits())
    let shown = assembled(stream, bytes)
    require(shown.count == stream.pictureBytes, "\(shown.count) bytes where \(stream.pictureBytes) are told")
    require(stream.facts.hiddenBytes.isEmpty, "something is left to hide: \(stream.facts.hiddenBytes)")
    switch probed(shown.span) {
    case .failure(let rejection): require(false, "what is shown is refused: \(rejection)")
    case .success(var again):
        require(again.width == facts.width && again.height == facts.height, "another size is shown")
        require(again.bitsPerComponent == facts.bitsPerComponent, "other samples are shown")
        require(again.isComplete, "it is shown whole")
        // A HEIF is full of offsets, and where they lead nobody knows without following them.
        require(again.trailingBytes == 0 || facts.mediaType.isHEIF, "something is shown behind it")
        require(again.exif == nil, "EXIF is shown: \(String(describing: again.exif))")
        again.exif = nil
        let second = DecoderStream(of: shown.span, facts: again, limits: Limits())
        require(second.isFile(of: shown.count), "what was cleaned can be cleaned again")
    }
}

/// A block without its MakerNotes has none, and says the same of everything that is reported.
func checkExif(_ block: [UInt8]) -> Bool {
    var facts = MediaFacts(mediaType: .gif, width: 1, height: 1, colorModel: .palette)
    facts.exif = 0..<block.count
    let copy = DecoderStream(of: block.span, facts: facts, limits: Limits()).exif
    require(copy.count <= block.count, "a copy is no longer than what it was made from")
    guard !copy.isEmpty else { return true }
    facts.exif = 0..<copy.count
    require(DecoderStream(of: copy.span, facts: facts, limits: Limits()).exif == copy, "a copy of the copy is the same")
    require(ExifFacts(copy) == ExifFacts(copy), "a second look finds the same")
    return true
}

private func assembled(_ stream: DecoderStream, _ bytes: Span<UInt8>) -> [UInt8] {
    var shown: [UInt8] = []
    for piece in stream.picture {
        switch piece {
        case .source(let range): for index in range { shown.append(bytes[index]) }
        case .new(let new): shown += new
        }
    }
    return shown
}

extension MediaType {
    fileprivate var isHEIF: Bool { [.heic, .heif, .avif].contains(self) }
}
