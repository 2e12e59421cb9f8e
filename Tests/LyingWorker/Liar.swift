import AttachmentRules
import Glibc
import JobProtocol
import Kernel
import MediaProbe
import Misbehaviour
import Scenes

/// Answers one job as a lie says.
struct Liar {
    let request: JobRequest
    let honest: HonestAnswer
    let earlier: [UInt8]
    let write: (UnsafeRawBufferPointer) throws -> Void

    func answer(_ lie: Lie) throws -> JobReply.Outcome {
        switch lie {
        case .garbage, .deepNesting, .longReply, .otherJob, .otherKind, .extraMember, .unknownNote, .withDescriptors,
            .emptyMessage, .secondReply:
            return try talk(lie)
        case .badOrientation, .longProfileName, .longNote, .manyNotes, .longRefusal, .foreignRefusal, .highQuality,
            .manyAttempts, .noVersion, .unaskedProof, .farFocus, .tooManyBytes, .endlessBytes, .negativeBytes,
            .noSize, .negativeSize, .endlessSize, .leastSize, .thinSize, .otherSize, .escapes:
            _ = honest.handOver(write)
            return claim(lie)
        case .endless, .keptMapping, .sealedBefore:
            return try tamper(lie)
        default:
            return try replaceResult(lie)
        }
    }

    // MARK: - Datagrams

    private func talk(_ lie: Lie) throws -> JobReply.Outcome {
        let outcome = honest.handOver(write)
        let reply = try JobCoding.encode(JobReply(id: request.id, outcome: outcome))
        switch lie {
        case .garbage: try say((0..<1_000).map { UInt8(truncatingIfNeeded: $0 &* 151 ^ $0 >> 3) })
        case .deepNesting: try say(Array(String(repeating: "[", count: 60_000).utf8))
        case .longReply: try say(reply + [UInt8](repeating: 0x20, count: JobCoding.maximumReplyBytes))
        case .otherJob: try say(JobCoding.encode(JobReply(id: request.id &+ 1, outcome: outcome)))
        case .otherKind:
            let size = PlannedSize(width: request.facts.width, height: request.facts.height)
            try say(JobCoding.encode(JobReply(id: request.id, outcome: .planned(SourceFacts(), size))))
        case .extraMember: try say(Array(#"{"a":1,"#.utf8) + reply.dropFirst())
        case .unknownNote:
            var facts = SourceFacts()
            facts.notes = [Note(.trailingBytes, "It has some.")]
            let noted = try JobCoding.encode(JobReply(id: request.id, outcome: told(facts)))
            let parts = String(decoding: noted, as: UTF8.self).split(separator: "trailing-bytes")
            try say(Array(parts.joined(separator: "no-such-note").utf8))
        case .withDescriptors: try say(reply, descriptors: [0, 1, 2, 3])
        case .emptyMessage: send(3, nil, 0, 0)
        case .secondReply:
            try say(reply)
            return outcome
        default: fatalError("no datagram: \(lie)")
        }
        // Whoever listened is to act on what it has heard.
        while true { pause() }
    }

    private func say(_ bytes: [UInt8], descriptors: [Int32] = []) throws {
        let socket = MessageSocket(adopting: FileDescriptor(adopting: dup(3)))
        try socket.send(bytes, descriptors: descriptors)
    }

    // MARK: - Replies

    private func claim(_ lie: Lie) -> JobReply.Outcome {
        var facts = SourceFacts()
        switch lie {
        case .badOrientation: facts.orientation = 9
        case .longProfileName: facts.colorProfile = String(repeating: "x", count: 60_000)
        case .longNote: facts.notes = [Note(.strayBytes, String(repeating: "x", count: 60_000))]
        case .manyNotes: facts.notes = [Note](repeating: Note(.strayBytes, "Some."), count: 900)
        case .longRefusal: return refusal(.decodeFailed, .render, String(repeating: "x", count: 60_000))
        case .foreignRefusal: return refusal(.outputExists, .publish, "It exists.")
        case .escapes:
            return refusal(.decodeFailed, .render, "It is\u{1B}[2J\u{9B}31m\r\nmediaprep: fine\u{7}\u{202E}.")
        case .highQuality: return told { $0.quality = 101 }
        case .manyAttempts: return told { $0.attempts = .max }
        case .noVersion: return told { $0.libvips = "8.14.1\u{1B}[2J" }
        case .unaskedProof: return told { $0.proof = Rendition.Proof(quality: 81, bytes: .max) }
        case .farFocus: return told { $0.focus = 1_000_000 }
        case .tooManyBytes: return told { $0.bytes = request.recipe.maxBytes + 1 }
        case .endlessBytes: return told { $0.bytes = .max }
        case .negativeBytes: return told { $0.bytes = .min }
        case .noSize: return sized(0, 0)
        case .negativeSize: return sized(-1, -request.facts.height)
        case .endlessSize: return sized(.max, .max)
        case .leastSize: return sized(.min, .min)
        case .thinSize: return sized(1, .max)
        case .otherSize: return sized(request.facts.width - 1, request.facts.height)
        default: fatalError("no reply: \(lie)")
        }
        return told(facts)
    }

    private func told(_ facts: SourceFacts) -> JobReply.Outcome {
        switch honest.outcome {
        case .planned(_, let size): .planned(facts, size)
        case .rendered(_, let rendition): .rendered(facts, rendition)
        case .checked(_, let size): .checked(facts, size)
        case .refused, .clip: honest.outcome
        }
    }

    private func told(_ change: (inout Rendition) -> Void) -> JobReply.Outcome {
        guard case .rendered(let facts, var rendition) = honest.outcome else { return honest.outcome }
        change(&rendition)
        return .rendered(facts, rendition)
    }

    private func sized(_ width: Int, _ height: Int) -> JobReply.Outcome {
        let size = PlannedSize(width: width, height: height)
        return switch honest.outcome {
        case .planned(let facts, _): .planned(facts, size)
        case .checked(let facts, _): .checked(facts, size)
        default: told { $0.size = size }
        }
    }

    private func refusal(_ code: Rejection.Code, _ stage: Rejection.Stage, _ message: String) -> JobReply.Outcome {
        .refused(Rejection(code, rule: .doesNotDecode, stage: stage, message))
    }

    // MARK: - Results

    /// Writes other bytes and tells their true length.
    private func replaceResult(_ lie: Lie) throws -> JobReply.Outcome {
        let bytes: [UInt8]
        switch lie {
        case .longer, .shorter, .nothing:
            let kept = lie == .longer ? honest.result + [0] : lie == .shorter ? honest.result.dropLast() : []
            try kept.withUnsafeBytes(write)
            return honest.outcome
        case .overBudget: bytes = honest.result + [UInt8](repeating: 0, count: 2 << 20)
        case .earlierResult: bytes = earlier
        case .otherSizeHidden: bytes = try scene(width: request.facts.width - 1, SceneFile(.jpeg(quality: 80)))
        case .progressiveHidden: bytes = try scene(SceneFile(.jpeg(quality: 80, progressive: true)))
        case .png: bytes = try scene(SceneFile(.png()))
        case .gray, .cmyk:
            var file = SceneFile(.jpeg(quality: 80))
            file.colors = lie == .gray ? .gray : .cmyk
            bytes = JpegSegments(try scene(file)).without([0xE1, 0xE2, 0xEE])
        default: bytes = JpegSegments(honest.result).spoiled(by: lie)
        }
        try bytes.withUnsafeBytes(write)
        return told { rendition in
            rendition.bytes = bytes.count
            if lie == .progressiveHidden { rendition.isProgressive = false }
        }
    }

    private func scene(width: Int? = nil, _ file: SceneFile) throws -> [UInt8] {
        try Scene(width: width ?? request.facts.width, height: request.facts.height, seed: 1).file(file)
    }

    private func tamper(_ lie: Lie) throws -> JobReply.Outcome {
        _ = honest.handOver(write)
        let result = try Self.resultDescriptor()
        switch lie {
        case .endless: ftruncate(result, 1 << 40)
        case .keptMapping: mmap(nil, honest.result.count, PROT_READ | PROT_WRITE, MAP_SHARED, result, 0)
        case .sealedBefore:
            // F_ADD_SEALS of F_SEAL_SEAL and F_SEAL_GROW: what it holds can be changed still.
            _ = fcntl(result, 1_033, 1 | 4)
        default: fatalError("nothing to tamper with: \(lie)")
        }
        return honest.outcome
    }
}
