import Glibc
import Kernel

/// A file that is made in the inbox only to see whether that causes an event.
struct ProbeFile: Equatable, Sendable {
    let name: FilePath

    private static let start = FilePath(".mediaprep-probe-")

    static func isNamed(_ name: FilePath) -> Bool {
        name.bytes.starts(with: start.bytes)
    }

    /// Makes the file and removes it at once: the event is told of its making.
    init(in inbox: FilePath) throws(Errno) {
        let directory = try FileDescriptor.open(inbox, flags: .directory)
        let name = FilePath(bytes: Self.start.bytes + String(getpid()).utf8)
        // Left by a process that had our number and was killed in between.
        try? FileDescriptor.unlink(name, relativeTo: directory)
        _ = try FileDescriptor.open(
            name, flags: [.writeOnly, .create, .exclusive, .noFollow], mode: 0o600, relativeTo: directory)
        try FileDescriptor.unlink(name, relativeTo: directory)
        self.name = name
    }
}
