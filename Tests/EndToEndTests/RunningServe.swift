import Foundation

/// A `mediaprep serve` that runs, and what it says.
final class RunningServe {
    private let process = Process()
    private let errors = Pipe()
    private var rest = Data()
    /// Every line so far, as its fields.
    private(set) var events: [[String: Any]] = []

    /// Starts it on `root`, with a log of JSON; it need not be ready yet.
    init(
        _ root: URL, options: [String] = [], environment: [String: String] = [:], program: Program = Program()
    ) throws {
        process.executableURL = program.executable
        process.arguments = ["serve", "--root", root.path, "--log-format", "json"] + options
        process.environment = ["PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "SWIFT_BACKTRACE": "enable=no"]
            .merging(environment) { $1 }
        for name in ["ASAN_OPTIONS", "LSAN_OPTIONS", "TSAN_OPTIONS"] {
            process.environment?[name] = ProcessInfo.processInfo.environment[name]
        }
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = errors
        try process.run()
    }

    deinit {
        if process.isRunning { kill(SIGKILL) }
        process.waitUntilExit()
    }

    var pid: Int32 { process.processIdentifier }

    /// Reads on until `count` further events of these kinds were told; fewer when it ends before.
    @discardableResult
    func wait(for kinds: String..., count: Int = 1) -> [[String: Any]] {
        var found: [[String: Any]] = []
        while found.count < count, let event = nextEvent() {
            if kinds.contains(event["event"] as? String ?? "") { found.append(event) }
        }
        return found
    }

    /// Every event up to its end.
    func waitForEnd() -> Int32 {
        while nextEvent() != nil {}
        process.waitUntilExit()
        return process.terminationReason == .exit ? process.terminationStatus : -process.terminationStatus
    }

    func kill(_ signal: Int32) {
        Foundation.kill(pid, signal)
    }

    private func nextEvent() -> [String: Any]? {
        while true {
            if let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                let line = rest[rest.startIndex..<end]
                rest = rest[rest.index(after: end)...]
                // What is no event is what the program says at its end.
                let event = (try? JSONSerialization.jsonObject(with: Data(line))) as? [String: Any]
                let told = event ?? ["event": "said", "message": String(decoding: line, as: UTF8.self)]
                events.append(told)
                return told
            }
            let more = errors.fileHandleForReading.availableData
            if more.isEmpty { return nil }
            rest = Data(rest) + more
        }
    }
}
