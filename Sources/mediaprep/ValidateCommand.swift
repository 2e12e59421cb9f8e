internal import AttachmentRules
internal import Kernel
internal import Service
internal import Synchronization

/// `mediaprep validate`: whether a receiver takes files as they are.
enum ValidateCommand {
    static func run(_ arguments: [[UInt8]]) -> CommandEnd {
        do {
            let request = try ValidateRequest(
                arguments, program: program, summary: summary, description: description)
            let hasErrors = Atomic(false)
            let judge = Judge(request.settings, stop: try StopFlag())
            try judge.run(warn: { try? StandardStream.error.writeAll(Array($0.utf8).span) }) {
                (judgement) throws(BatchFailure) in
                if judgement.worst == .error { hasErrors.store(true, ordering: .relaxed) }
                try tell(judgement, request)
            }
            return hasErrors.load(ordering: .relaxed) ? .complaints : .success
        } catch let failure as BatchFailure {
            return .usage("\(program): \(failure.sentence)\n")
        } catch {
            return .wrongRequest(error, program: program)
        }
    }

    private static func tell(_ judgement: FileJudgement, _ request: ValidateRequest) throws(BatchFailure) {
        let text =
            request.printsJSON
            ? JSONLine.of(judgement) : Array(lines(judgement, isQuiet: request.isQuiet).utf8)
        do throws(Errno) {
            try StandardStream.output.writeAll(text.span)
        } catch {
            throw .standardOutput(error)
        }
    }

    private static func lines(_ judgement: FileJudgement, isQuiet: Bool) -> String {
        let findings = isQuiet ? judgement.findings.filter { $0.severity == .error } : judgement.findings
        if isQuiet, findings.isEmpty { return "" }
        let verdict = judgement.worst?.rawValue ?? "ok"
        let heading = "\(FilePath(judgement.file).escapedForTerminal): \(verdict) (\(judgement.profile))\n"
        return heading
            + findings.map { finding in
                let severity = finding.severity == .error ? "error  " : "warning"
                let raises = finding.unError.map { " (UNError \($0.rawValue))" } ?? ""
                // The message may come from a worker that was taken over.
                let message = FilePath(finding.message).escapedForTerminal
                return "  \(finding.rule.rawValue) \(severity) \(message)\(raises)\n"
            }.joined()
    }

    private static let program = "mediaprep validate"

    private static let summary = """
        Tells whether a receiver takes each FILE as it is: its type by its content
        against its name, its size, pixels, colours, orientation and metadata, frames,
        whether it decodes completely, and what memory a phone needs for it. Directories
        are searched. Symbolic links, FIFOs, sockets and devices are never opened.
        """

    private static let description = """
        Each finding names its rule; an error says that the receiver would refuse the
        file, kill the app's extension over it, show it wrongly or learn where it was
        taken, a warning that it is not as it should be. UNError is what iOS raises. --url, --headers and --options
        are judged with the file. Pictures are decoded by processes that are shut in.

        Exit status:
          0  no file has an error
          1  some files have errors
          2  the command line is wrong, or the program could not do its own work
        """
}
