import CCaptive
import Foundation
import Glibc
import JobProtocol
import Kernel

/// One attempt of somebody who has taken over a worker.
struct Attempt: Sendable {
    let group: UInt32
    let number: Int
    let name: String
    /// What it comes to without a sandbox; nil where nobody can say.
    let whenFree: Outcome?
    /// Why nobody can say.
    let unproved: String?
    let whenConfined: Outcome

    /// What an attempt comes to.
    enum Outcome: Equatable, CustomStringConvertible {
        case succeeded
        case failed(Errno)
        case killed(Int32)
        /// It was not made, or nobody can say how it ended.
        case unknown(Kernel.ExitStatus)

        init(_ status: Kernel.ExitStatus) {
            self =
                switch status {
                case .exited(0): .succeeded
                case .exited(let error) where error < 200: .failed(Errno(rawValue: error))
                case .signalled(let signal): .killed(signal)
                default: .unknown(status)
                }
        }

        init(code: Int32) {
            self = code < 0 ? .killed(-code) : code == 0 ? .succeeded : .failed(Errno(rawValue: code))
        }

        var description: String {
            switch self {
            case .succeeded: "succeeds"
            case .failed(let error): "\(error)"
            case .killed(SIGSYS): "killed by the filter"
            case .killed(SIGXFSZ): "killed by RLIMIT_FSIZE"
            case .killed(let signal): "killed by signal \(signal)"
            case .unknown(let status): "\(status)"
            }
        }
    }

    /// Everything that has to fail.
    static let all = [
        CAPTIVE_FILES, CAPTIVE_DESCRIPTORS, CAPTIVE_SOCKETS, CAPTIVE_PROCESSES, CAPTIVE_RIGHTS, CAPTIVE_KERNEL,
    ].flatMap(attempts)

    /// What decoding needs.
    static let needs = attempts(CAPTIVE_NEEDS)

    private static func attempts(_ group: captive_group) -> [Attempt] {
        guard let actions = captive_actions(group) else { return [] }
        var attempts: [Attempt] = []
        while case let action = actions[attempts.count], let name = action.name {
            let unproved = action.unproved.map { String(cString: $0) }
            attempts.append(
                Attempt(
                    group: group.rawValue, number: attempts.count, name: String(cString: name),
                    whenFree: unproved == nil ? Outcome(code: action.when_free) : nil, unproved: unproved,
                    whenConfined: Outcome(code: action.when_confined)))
        }
        return attempts
    }
}

/// The taken-over worker, as its supervisor sees it.
struct Captive {
    /// How it treats itself before the attempt.
    enum Manner: String {
        case confined
        case free
        /// As confined, but too late: it has a second thread already.
        case threaded
    }

    let outcome: Attempt.Outcome
    let missing: [MissingLayer]
    /// What came after the greeting, until its end.
    let said: [Result<[UInt8], Errno>]
    /// What reached standard error.
    let errors: String

    /// Lets it make one attempt.
    init(_ attempt: Attempt, _ manner: Manner) throws {
        let directory = FileManager.default.temporaryDirectory.appending(path: "mediaprep-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        for name in ["file", "victim"] { try Data("content".utf8).write(to: directory.appending(path: name)) }
        let captive = try RunningProgram.path().removingLastComponent.appending("captive")

        let errorPath = directory.appending(path: "errors")
        let pair = try MessageSocket.pair()
        let near = pair.near
        var far: MessageSocket? = pair.far
        // A shell, so that standard error leads to where it can be looked at.
        var process = try ChildProcess.spawn(
            executable: "/bin/sh",
            arguments: [
                "-c", #"errors=$1; shift; exec "$@" 2>"$errors""#, "sh", errorPath.path, captive.display,
                manner.rawValue, "\(attempt.group)", "\(attempt.number)", directory.path,
            ],
            environment: ["SWIFT_BACKTRACE=enable=no"], inheriting: far!)
        // So that its end shows here, whenever that comes.
        far = nil
        let greeting = try near.receive(maximumBytes: 4096, maximumDescriptors: 0)?.bytes ?? []
        missing = try JobCoding.decode(WorkerGreeting.self, from: greeting).missing

        // A program, to be run by whoever can.
        let program = try FileDescriptor.open("/bin/true", flags: .readOnly)
        let source = try MemoryFile.snapshot(of: program, size: try program.status().size).seal()
        let result = try MemoryFile.create(name: "result")
        let kept = try MemoryFile.create(name: "kept")
        try withUnsafeBytes(of: 0) { try kept.append($0) }
        try near.send(
            [0], descriptors: [source.descriptor.rawValue, result.descriptor.rawValue, kept.descriptor.rawValue])
        let sealed = try kept.seal()
        try near.send([0])
        outcome = Attempt.Outcome(process.wait())
        _ = sealed.size

        var said: [Result<[UInt8], Errno>] = []
        while try Poll.readable([near.descriptor.rawValue], until: .now)[0] {
            do throws(Errno) {
                guard let message = try near.receive(maximumBytes: 4096, maximumDescriptors: 0) else { break }
                said.append(.success(message.bytes))
            } catch {
                said.append(.failure(error))
                if error != .messageTooLong { break }
            }
        }
        self.said = said
        errors = try String(contentsOf: errorPath, encoding: .utf8)
    }
}
