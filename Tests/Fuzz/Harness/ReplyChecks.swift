internal import AttachmentRules
internal import JobProtocol

/// What a worker's datagram is taken for can be said again, and then means the same.
func checkReply(_ bytes: [UInt8]) -> Bool {
    if let greeting = try? JobCoding.decode(WorkerGreeting.self, from: bytes) {
        require(again(greeting, JobCoding.encode) == greeting, "a greeting comes back as it went")
    }
    guard let reply = try? JobCoding.decode(JobReply.self, from: bytes) else { return true }
    guard let copy = again(reply, JobCoding.encode) else { return true }
    require(copy.id == reply.id, "the id comes back as it went")
    let isSame =
        switch (reply.outcome, copy.outcome) {
        case (.planned(let facts, let size), .planned(let otherFacts, let otherSize)):
            facts == otherFacts && size == otherSize
        case (.rendered(let facts, let rendition), .rendered(let otherFacts, let otherRendition)):
            facts == otherFacts && rendition == otherRendition
        case (.refused(let rejection), .refused(let other)): rejection == other
        default: false
        }
    require(isSame, "the outcome comes back as it went")
    return true
}

/// The message after a trip through a datagram; nil when it is too long for one.
private func again<Message: Decodable>(
    _ message: Message, _ encode: (Message) throws(JobCodingError) -> [UInt8]
) -> Message? {
    do throws(JobCodingError) {
        return try JobCoding.decode(Message.self, from: encode(message))
    } catch {
        if case .tooLong = error { return nil }
        fatalError("does not hold: what was decoded can be encoded and decoded again")
    }
}
