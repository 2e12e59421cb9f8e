import Foundation
import Kernel

/// The built `mediaprep`, run as a user would run it.
struct Program {
    /// What a run left behind.
    struct Result {
        /// Exit status, or the negative number of the signal that ended it.
        var status: Int32
        var output: String
        var errors: String

        /// The manifests that `--json` printed.
        var manifests: [[String: Any]] {
            output.split(separator: "\n").compactMap { line in
                (try? JSONSerialization.jsonObject(with: Data(line.utf8))) as? [String: Any]
            }
        }
    }

    /// The directory that the build put its programs in, which is where the tests are too.
    static let directory = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()

    var executable = Program.directory.appending(path: "mediaprep")

    /// Runs it to its end.
    ///
    /// - Parameters:
    ///   - input: what it reads on standard input.
    ///   - whileRunning: is called with its process id once it was started.
    func run(
        _ arguments: [String], in directory: URL, input: Data = Data(), whileRunning: (Int32) throws -> Void = { _ in }
    ) throws -> Result {
        let process = Process()
        process.executableURL = executable
        process.arguments = arguments
        process.currentDirectoryURL = directory
        process.environment = ["PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "SWIFT_BACKTRACE": "enable=no"]
        // What a sanitizer is told holds for the program too.
        for name in ["ASAN_OPTIONS", "LSAN_OPTIONS", "TSAN_OPTIONS"] {
            process.environment?[name] = ProcessInfo.processInfo.environment[name]
        }
        // Files instead of pipes: nobody has to read while it runs, and there is no end to wait for but its own.
        let streams = try (0..<3).map { _ in try Scratch.anonymousFile() }
        try streams[0].write(contentsOf: input)
        try streams[0].seek(toOffset: 0)
        (process.standardInput, process.standardOutput, process.standardError) = (streams[0], streams[1], streams[2])
        try process.run()
        do { try whileRunning(process.processIdentifier) } catch {
            process.terminate()
            process.waitUntilExit()
            throw error
        }
        process.waitUntilExit()
        let texts = try streams[1...].map { stream in
            try stream.seek(toOffset: 0)
            return String(decoding: try stream.readToEnd() ?? Data(), as: UTF8.self)
        }
        let status = process.terminationStatus
        return Result(
            status: process.terminationReason == .exit ? status : -status, output: texts[0], errors: texts[1])
    }
}
