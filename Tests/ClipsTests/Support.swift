import AttachmentRules
import ClipFixtures
import Clips
import JobProtocol
import MediaProbe
import Testing
import Vips

/// What became of one file: as the service sees it, without a worker process.
struct Read {
    let type: MediaType?
    let facts: ClipFacts?
    let poster: [UInt8]
    let rejection: Rejection?

    init(_ file: [UInt8]) throws {
        try Clips.start()
        type = MediaProbe.identify(file.span)
        let clipType = try #require(type)
        do throws(Rejection) {
            try MediaProbe.admit(clip: file.span, as: clipType)
        } catch {
            (facts, poster, rejection) = (nil, [], error)
            return
        }
        let request = Self.request(clipType)
        var written: [UInt8] = []
        let outcome = file.withUnsafeBytes { Clips.process($0, request: request) { written += $0 } }
        #expect(JobReply(id: 1, outcome: outcome, remarks: Clips.takeRemarks()).objection(to: request) == nil)
        switch outcome {
        case .clip(let facts, let posterBytes):
            #expect(posterBytes == written.count)
            (self.facts, poster, rejection) = (facts, written, nil)
        case .refused(let rejection):
            #expect(written.isEmpty)
            (facts, poster, self.rejection) = (nil, [], rejection)
        default:
            Issue.record("another answer")
            (facts, poster, rejection) = (nil, [], nil)
        }
    }

    static func request(_ type: MediaType) -> JobRequest {
        let facts = MediaFacts(mediaType: type, width: 1, height: 1, colorModel: .other)
        return JobRequest(id: 1, facts: facts, pictureBytes: 0, recipe: Recipe(), kind: .clip)
    }
}

/// A film with some of its settings changed.
func film(_ change: (inout Film) -> Void = { _ in }) throws -> [UInt8] {
    var film = Film()
    change(&film)
    return try film.file()
}

/// The still picture's quarters by the names of their colours, from left to right and top to bottom.
func quarters(of poster: [UInt8]) throws -> [String] {
    try Vips.start()
    return try poster.withUnsafeBytes { bytes in
        let image = try VipsImage.load(.png, bytes)
        let (width, height) = (image.width, image.height)
        var samples: [UInt8] = []
        try image.forEachStrip { _, rows, start, stride in
            for row in 0..<rows { samples += UnsafeRawBufferPointer(start: start + row * stride, count: width * 3) }
        }
        return [(1, 1), (3, 1), (1, 3), (3, 3)].map { x, y in
            let place = ((height * y / 4) * width + width * x / 4) * 3
            let isBright = samples[place..<place + 3].map { $0 > 128 }
            return switch isBright {
            case [true, false, false]: "red"
            case [false, true, false]: "green"
            case [false, false, true]: "blue"
            case [true, true, true]: "white"
            default: "\(samples[place..<place + 3])"
            }
        }
    }
}
