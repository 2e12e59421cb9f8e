internal import AttachmentRules
internal import Kernel

/// Tells why payloads would not show their media.
struct PayloadChecking {
    private let request: PayloadRequest
    private let media: OutboxMedia?
    private var circumstances = PayloadCheck.Circumstances()

    init(_ request: PayloadRequest) throws {
        self.request = request
        circumstances.profile = try request.profile(named: nil)
        circumstances.categories = request.categories
        circumstances.isVoIP = request.target.isVoIP
        circumstances.response = request.response
        media = try OutboxMedia(outbox: request.outbox, manifests: request.manifests.map(ManifestFile.read))
    }

    func run() throws -> CommandEnd {
        var output = ""
        var hasErrors = false
        for path in request.operands {
            let document = try SmallFile.read(path, mostBytes: PayloadCheck.mostBytes + 1)
            let check = check(document)
            hasErrors = hasErrors || check.findings.contains { $0.severity == .error }
            output += request.printsJSON ? line(check, of: path, document.count) : text(check, of: path, document.count)
        }
        let end = CommandEnd.printing(Array(output.utf8), program: PayloadCommand.program)
        if case .success = end, hasErrors { return .complaints }
        return end
    }

    private func check(_ document: [UInt8]) -> PayloadCheck {
        func check(_ circumstances: PayloadCheck.Circumstances) -> PayloadCheck {
            PayloadCheck(document: document, provider: request.provider, circumstances: circumstances)
        }
        let first = check(circumstances)
        guard let media else { return first }
        // Which files are to be looked at, only the payload tells.
        var circumstances = circumstances
        circumstances.published = media.published(for: first.urls)
        return check(circumstances)
    }

    private func text(_ check: PayloadCheck, of path: FilePath, _ bytes: Int) -> String {
        let whose = check.provider.map { "\($0.rawValue), " } ?? ""
        let count = check.findings.isEmpty ? "nothing found" : "\(check.findings.count) found"
        let head = "\(path.escapedForTerminal): \(whose)\(bytes) bytes, \(check.urls.count) media, \(count)\n"
        return head
            + check.findings.map { finding in
                let raised = finding.unError.map { " (UNError \($0.rawValue))" } ?? ""
                return "  \(finding.severity.rawValue) \(finding.rule.rawValue) \(finding.message)\(raised)\n"
            }.joined()
    }

    private func line(_ check: PayloadCheck, of path: FilePath, _ bytes: Int) -> String {
        let findings = check.findings.map { finding in
            var members: [String: JSONValue] = [
                "rule": .string(finding.rule.rawValue), "subject": .string(finding.subject.rawValue),
                "verdict": .string(finding.severity.rawValue), "message": .string(finding.message),
            ]
            members["un_error"] = finding.unError.map { .integer($0.rawValue) }
            return JSONValue.object(members)
        }
        var members: [String: JSONValue] = [
            "file": .string(path.escapedForTerminal), "bytes": .integer(bytes),
            "urls": .array(check.urls.map { .string($0) }), "findings": .array(findings),
        ]
        members["provider"] = check.provider.map { .string($0.rawValue) }
        return String(decoding: JSONValue.object(members).serialized, as: UTF8.self) + "\n"
    }
}
