/// What the receiver makes of a sound or film that was read to its end: as what it is published, and what is odd about it.
public struct ClipJudgement: Sendable {
    /// As what it is published: a container of MPEG-4 without a film is sound.
    public let type: MediaType
    public let notes: [Note]

    /// - Parameters:
    ///   - type: by content.
    ///   - bytes: of the file.
    /// - Throws: where the receiver does not take it.
    public init(_ clip: ClipFacts, as type: MediaType, bytes: Int, limits: Limits) throws(Rejection) {
        let type = Self.type(of: clip, as: type)
        guard type.support != .none else {
            throw Rejection(
                .typeNotAllowed, rule: .typeNotAccepted, stage: .inspect,
                "The content is \(type.rawValue), which is not accepted.")
        }
        let limit = type.family == .audio ? limits.audioBytes : limits.movieBytes
        guard bytes <= limit else {
            throw Rejection(
                .fileTooLarge, rule: .tooManyBytes, stage: .inspect,
                "It has \(bytes) bytes, over the limit of \(limit) bytes of its family; send a shorter or smaller one.")
        }
        var notes: [Note] = []
        if type.support == .observed {
            notes.append(
                Note(.typeNotDocumented, "\(type.rawValue) works on recent systems and is not documented."))
        }
        if let objection = CodecRules.objection(to: clip, in: type) {
            let message = objection.message.prefix(1).uppercased() + objection.message.dropFirst() + "."
            guard objection.severity == .warning else {
                throw Rejection(.codecNotAllowed, rule: .codecNotAccepted, stage: .inspect, message)
            }
            notes.append(Note(.codecOfNewPhonesOnly, message))
        }
        notes += Self.notes(on: clip, limits: limits)
        self.type = type
        self.notes = notes
    }

    private static func type(of clip: ClipFacts, as type: MediaType) -> MediaType {
        switch (type, clip.video) {
        case (.mp4, nil), (.m4v, nil): .m4a
        case (.m4a, .some): .mp4
        default: type
        }
    }

    private static func notes(on clip: ClipFacts, limits: Limits) -> [Note] {
        let measured = clip.durationMilliseconds
        var notes: [Note] = []
        if measured > limits.clipMilliseconds {
            notes.append(
                Note(
                    .longerThanLimit,
                    "It lasts \(seconds(measured)), longer than the \(seconds(limits.clipMilliseconds)) that a push should."
                ))
        }
        if let header = clip.headerMilliseconds, isFalse(header, beside: measured) {
            notes.append(
                Note(.falseDuration, "Its header says \(seconds(header)); \(seconds(measured)) were measured."))
        }
        if !clip.isDecodedWhole {
            notes.append(
                Note(.keyFramesOnly, "It is too long to decode all of it; of its film, only key frames were."))
        }
        return notes
    }

    /// A second or a twentieth is what encoders' delays and rounding come to.
    private static func isFalse(_ header: Int, beside measured: Int) -> Bool {
        abs(header - measured) > max(1_000, measured / 20)
    }

    private static func seconds(_ milliseconds: Int) -> String {
        let tenths = (milliseconds + 50) / 100
        return "\(tenths / 10).\(tenths % 10) s"
    }
}
