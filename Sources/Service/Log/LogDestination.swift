internal import Glibc
internal import Kernel

/// Where log lines go, without ever waiting for whoever reads them; a regular file is waited for.
///
/// SIGPIPE has to be ignored in the process.
struct LogDestination: ~Copyable, Sendable {
    /// An opening of our own that does not block, or a copy where there can be none.
    private let descriptor: FileDescriptor
    private let kind: FileKind
    private let mayBlock: Bool

    /// - Parameter given: stays the caller's.
    init(_ given: Int32) {
        var status = stat()
        let mode = fstat(given, &status) == 0 ? status.st_mode & S_IFMT : 0
        let kind: FileKind =
            switch mode {
            case S_IFIFO: .fifo
            case S_IFSOCK: .socket
            case S_IFCHR: .characterDevice
            default: .regular
            }
        let canBlock = kind == .fifo || kind == .characterDevice
        // O_NONBLOCK set on the given one would hold for everyone who has it too: the shell, or a child.
        let reopened =
            canBlock ? open("/proc/self/fd/\(given)", O_WRONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY) : -1
        let number = reopened >= 0 ? reopened : fcntl(given, F_DUPFD_CLOEXEC, 0)
        self.kind = kind
        mayBlock = canBlock && reopened < 0
        descriptor = FileDescriptor(adopting: number)
    }

    /// One write(2), or send(2).
    ///
    /// - Returns: how many of the bytes were taken; 0 when there is no room now, or nobody reads any more.
    func write(_ bytes: Span<UInt8>) -> Int {
        let number = descriptor.rawValue
        return bytes.withUnsafeBytes { buffer in
            // Where it could not be opened anew, the answer to this question may be stale by the time of the write.
            if mayBlock, !hasRoom { return 0 }
            while true {
                let count =
                    kind == .socket
                    ? send(number, buffer.baseAddress, buffer.count, Int32(MSG_DONTWAIT | MSG_NOSIGNAL))
                    : Glibc.write(number, buffer.baseAddress, buffer.count)
                if count >= 0 { return count }
                if errno != EINTR { return 0 }
            }
        }
    }

    private var hasRoom: Bool {
        var request = pollfd(fd: descriptor.rawValue, events: Int16(POLLOUT), revents: 0)
        return poll(&request, 1, 0) == 1
    }

    /// True when the journal reads this: $JOURNAL_STREAM names its device and inode.
    static func isJournal(_ descriptor: Int32, stream: String?) -> Bool {
        var status = stat()
        guard let stream, fstat(descriptor, &status) == 0 else { return false }
        return stream == "\(status.st_dev):\(status.st_ino)"
    }
}
