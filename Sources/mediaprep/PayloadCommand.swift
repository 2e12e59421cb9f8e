internal import AttachmentRules
internal import Kernel

/// `mediaprep payload`: the push for what was made, or what is wrong with one.
enum PayloadCommand {
    static let program = "mediaprep payload"

    static func run(_ arguments: [[UInt8]]) -> CommandEnd {
        do {
            let request = try PayloadRequest(arguments)
            return request.checks ? try PayloadChecking(request).run() : try write(request)
        } catch {
            return .wrongRequest(error, program: program)
        }
    }

    private static func write(_ request: PayloadRequest) throws -> CommandEnd {
        let payload: PushPayload
        do {
            payload = try PayloadSending(request).payload()
        } catch let rejection as Rejection {
            return complain(["\(rejection.rule.rawValue) \(rejection.message)"])
        }
        let told = payload.findings.map { "\($0.severity.rawValue) \($0.rule.rawValue) \($0.message)" }
        if payload.findings.contains(where: { $0.severity == .error }) { return complain(told) }
        tell(told)
        return .printing(request.isPretty ? payload.documentForPeople : payload.document, program: program)
    }

    private static func complain(_ lines: [String]) -> CommandEnd {
        tell(lines)
        return .complaints
    }

    /// A line each, in which nothing of a file's name can play tricks on a terminal.
    private static func tell(_ lines: [String]) {
        let text = lines.map { "\(program): \(FilePath($0).escapedForTerminal)\n" }.joined()
        // Whoever closed it does not want to know.
        try? StandardStream.error.writeAll(Array(text.utf8).span)
    }
}
