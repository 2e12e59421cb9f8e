import AttachmentRules
import Glibc
import JobProtocol
import Kernel
import MediaProbe
import WorkerPool

/// A directory in which the fake worker goes by the name of the manner in which it is to start.
struct Installation: ~Copyable {
    let executable: FilePath
    private let directory: FilePath

    init(_ manner: FilePath) throws {
        let directory = try Self.makeDirectory()
        let executable = directory.appending(manner)
        try Self.built("fake-worker").withCString { (program) throws(Errno) in
            try executable.withCString { (link) throws(Errno) in
                if symlink(program, link) != 0 { throw Errno(rawValue: errno) }
            }
        }
        self.directory = directory
        self.executable = executable
    }

    deinit {
        if let descriptor = try? FileDescriptor.open(directory, flags: .directory) {
            for entry in (try? DirectoryListing(of: descriptor))?.entries ?? [] {
                try? FileDescriptor.unlink(entry.name, relativeTo: descriptor)
            }
        }
        _ = try? directory.withCString { path in rmdir(path) }
    }

    /// Deadlines that a test can wait for, and no pause worth the name.
    var configuration: WorkerConfiguration {
        var configuration = WorkerConfiguration(executable: executable)
        configuration.startPause = .milliseconds(1)
        return configuration
    }

    /// How many files beside the program tell of a start.
    var marks: Int {
        get throws {
            try DirectoryListing(of: FileDescriptor.open(directory, flags: .directory)).entries.count - 1
        }
    }

    /// The path of an executable of this package, which lies beside the tests.
    static func built(_ name: FilePath) throws -> FilePath {
        try RunningProgram.path().removingLastComponent.appending(name)
    }

    private static func makeDirectory() throws -> FilePath {
        var template = Array("/tmp/mediaprep-test-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw Errno(rawValue: errno) }
        return FilePath(bytes: template.dropLast().map { UInt8(bitPattern: $0) })
    }
}

/// A job that the fake worker is to treat as `behaviour` says.
func request(_ behaviour: String, id: UInt64 = 1, kind: JobRequest.Kind = .render) -> JobRequest {
    var facts = MediaFacts(mediaType: .jpeg, width: 1, height: 1, colorModel: .ycbcr)
    facts.notes = [Note(.trailingBytes, behaviour)]
    return JobRequest(id: id, facts: facts, pictureBytes: 0, recipe: Recipe(), kind: kind)
}

extension WorkerLane {
    /// Runs one job with a small picture; the result's text, or what went wrong.
    func text(of request: JobRequest) throws -> Result<String, WorkerFault> {
        switch try run(request, source: sealed("picture \(request.id)")) {
        case .success(let answer):
            return .success(try answer.result.seal().withUnsafeBytes { String(decoding: $0, as: UTF8.self) })
        case .failure(let fault): return .failure(fault)
        }
    }
}

func sealed(_ text: String) throws -> SealedFile {
    try sealed(Array(text.utf8))
}

func sealed(_ bytes: [UInt8]) throws -> SealedFile {
    let file = try MemoryFile.create(name: "source")
    try bytes.withUnsafeBytes { bytes in try file.append(bytes) }
    return try file.seal()
}

/// True while the process exists, dead or alive.
func exists(_ pid: Int32) -> Bool {
    kill(pid, 0) == 0
}

/// Waits until the process runs no more; nobody has to have reaped it.
func waitForDeath(of pid: Int32) {
    func isRunning() -> Bool {
        let stat = try? FileDescriptor.open(FilePath("/proc/\(pid)/stat"), flags: .readOnly).readAll(maximumBytes: 4096)
        return stat.map { !String(decoding: $0, as: UTF8.self).contains(") Z ") } ?? false
    }
    while isRunning() { sched_yield() }
}
