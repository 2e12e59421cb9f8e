internal import AttachmentRules
internal import JobProtocol
internal import MediaProbe

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
        case (.checked(let facts, let size), .checked(let otherFacts, let otherSize)):
            facts == otherFacts && size == otherSize
        case (.clip(let facts, let bytes), .clip(let otherFacts, let otherBytes)):
            facts == otherFacts && bytes == otherBytes
        case (.refused(let rejection), .refused(let other)): rejection == other
        default: false
        }
    require(isSame, "the outcome comes back as it went")
    for request in requests { checkAnswer(reply, to: request) }
    return true
}

/// A reply that nothing is held against says nothing that could harm whoever believes it.
private func checkAnswer(_ reply: JobReply, to request: JobRequest) {
    guard reply.objection(to: request) == nil else { return }
    switch reply.outcome {
    case .refused(let rejection): require(rejection.message.utf8.count <= 2_000, "a refusal is a sentence")
    case .planned(_, let size): checkSize(size, request)
    case .checked(_, let size):
        require((1...4_000).contains(size.width) && (1...4_000).contains(size.height), "a source is no larger upright")
    case .rendered(_, let rendition):
        checkSize(rendition.size, request)
        let span = abs(rendition.size.width - rendition.size.height)
        require((0...span).contains(rendition.focus ?? 0), "a thumbnail lies in its picture")
        require((1...request.recipe.maxBytes).contains(rendition.bytes), "the result is within the budget")
    case .clip(let facts, let posterBytes):
        require((0...JobRequest.mostPosterBytes).contains(posterBytes), "a still picture is within its limit")
        require(facts.durationMilliseconds >= 0, "time does not run backwards")
        require(facts.video != nil || facts.audio != nil, "there is something in it")
    }
}

private func checkSize(_ size: PlannedSize, _ request: JobRequest) {
    require(size.width >= 1 && size.height >= 1, "a result has pixels")
    require(min(size.width, size.height) <= request.recipe.shortEdge, "a result is within the recipe")
    let memory = DecodedMemory(width: size.width, height: size.height, bitsPerComponent: 8)
    require(memory.residentBytes > 0, "a result takes memory")
}

private let requests = [MediaType.jpeg, .heic, .gif].flatMap { type in
    [JobRequest.Kind.plan, .render, .renderAndProve, .check, .clip].map { kind in
        JobRequest(
            id: 1, facts: MediaFacts(mediaType: type, width: 4_000, height: 3_000, colorModel: .ycbcr),
            pictureBytes: 1, recipe: Recipe(), kind: kind)
    }
}

/// The message after a trip through a datagram; nil when it is too long for one.
private func again<Message: Codable>(
    _ message: Message, _ encode: (Message) throws(JobCodingError) -> [UInt8]
) -> Message? {
    do throws(JobCodingError) {
        return try JobCoding.decode(Message.self, from: encode(message))
    } catch {
        if case .tooLong = error { return nil }
        fatalError("does not hold: what was decoded can be encoded and decoded again")
    }
}
