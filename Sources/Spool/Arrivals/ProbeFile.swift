import Glibc
import Kernel

/// A file that is made in the inbox only to see whether that causes an event.
struct ProbeFile: Equatable, Sendable {
    let name: FilePath

    private static let start = FilePath(".mediaprep-probe-")

    /// True for the name of a probe of ours, whatever it stands for.
    static func isNamed(_ name: FilePath) -> Bool {
        let number = name.bytes.dropFirst(start.bytes.count)
        return name.bytes.starts(with: start.bytes) && (1...10).contains(number.count)
            && number.first != UInt8(ascii: "0")
            && number.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }

    /// True for what only a process like this one makes and nobody can miss: an empty file of this user.
    static func isLeftover(_ name: FilePath, _ status: FileStatus) -> Bool {
        isNamed(name) && status.kind == .regular && status.size == 0 && status.owner == geteuid()
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
