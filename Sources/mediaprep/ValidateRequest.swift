internal import AttachmentRules
internal import Glibc
internal import Kernel
internal import Service
internal import WorkerPool

/// What the command line of `mediaprep validate` asks for.
struct ValidateRequest {
    private(set) var settings: JudgeSettings
    private(set) var printsJSON: Bool
    private(set) var isQuiet: Bool

    init(_ arguments: [[UInt8]], program: String, summary: String, description: String) throws {
        var table = OptionTable()
        let profile = table.bytes("profile", argument: "NAME", "Receiver, as mediaprep profiles lists them (ios)")
        let config = table.bytes("config", argument: "FILE", "Key file with profiles of your own")
        let hint = table.bytes("hint", argument: "UTI", "Type hint that goes with each file, such as public.jpeg")
        let strict = table.flag("strict", "What mediaprep would make otherwise is an error")
        let url = table.bytes("url", argument: "URL", "Where the file is served")
        let headers = table.bytes("headers", argument: "FILE", "What curl --dump-header saved of the response")
        let options = table.bytes("options", argument: "FILE", "JSON of attachment options, as in a manifest")
        let jobs = table.number("jobs", argument: "N", "Files decoded at once, 1-256 (one a processor)")
        let deadline = table.number("deadline", argument: "S", "Longest time for one file, 1-3600 s (60)")
        let weakSandbox = table.flag("allow-weak-sandbox", "Decode where the kernel lacks part of the sandbox")
        let json = table.flag("json", "One JSON object a file on standard output")
        let quiet = table.flag("quiet", short: "q", "Only files with errors, and only the errors")
        let operands = try table.parse(
            arguments, program: program, operands: "FILE...", summary: summary, description: description)
        guard !operands.isEmpty else { throw UsageError(message: "no FILE was given") }

        settings = JudgeSettings(
            profile: try ReceiverOption.profile(profile.value, config: config.value).profile,
            jobs: try jobs.value(in: 1...256, standard: max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))))),
            worker: WorkerConfiguration(executable: try InstalledWorker.path()))
        settings.sources = operands.map { FilePath(bytes: $0) }
        settings.isStrict = strict.isSet
        settings.typeHint = hint.value.map { FilePath(bytes: $0).display }
        settings.url = url.value.map { FilePath(bytes: $0).display }
        if let path = headers.value {
            let text = try SmallFile.read(FilePath(bytes: path), mostBytes: 1 << 20)
            guard let response = ResponseHead(String(decoding: text, as: UTF8.self)) else {
                throw UsageError(message: "\(FilePath(bytes: path).escapedForTerminal) holds no HTTP response head")
            }
            settings.response = response
        }
        if let path = options.value {
            guard let options = JSONLine.options(try SmallFile.read(FilePath(bytes: path), mostBytes: 1 << 20)) else {
                throw UsageError(message: "\(FilePath(bytes: path).escapedForTerminal) holds no attachment options")
            }
            settings.options = options
        }
        guard settings.sources.count == 1 || url.value == nil && headers.value == nil else {
            throw UsageError(message: "--url and --headers are about one FILE, and \(operands.count) were given")
        }
        if url.value != nil || headers.value != nil,
            let only = settings.sources.first, (try? FileDescriptor.status(of: only))?.kind == .directory
        {
            throw UsageError(
                message: "--url and --headers are about one FILE, and \(only.escapedForTerminal) is a directory")
        }
        settings.worker.jobDeadline = .seconds(try deadline.value(in: 1...3600, standard: 60))
        settings.worker.allowsWeakSandbox = weakSandbox.isSet
        printsJSON = json.isSet
        isQuiet = quiet.isSet
    }
}
