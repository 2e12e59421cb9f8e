internal import Glibc
internal import Kernel

/// Where log lines go, without ever waiting for whoever reads them.
///
/// SIGPIPE has to be ignored in the process.
struct LogDestination: ~Copyable, Sendable {
    private let target: Int32
    private let kind: FileKind
    private let mayBlock: Bool
    /// An opening of our own that does not block. O_NONBLOCK set on the given one would hold for everyone who has it
    /// too: the shell, or a child.
    private let reopened: FileDescriptor?

    /// - Parameter descriptor: open for as long as this value lives, and not closed by it.
    init(_ descriptor: Int32) {
        var status = stat()
        let mode = fstat(descriptor, &status) == 0 ? status.st_mode & S_IFMT : 0
        kind =
            switch mode {
            case S_IFIFO: .fifo
            case S_IFSOCK: .socket
            case S_IFCHR: .characterDevice
            default: .regular
            }
        let canBlock = kind == .fifo || kind == .characterDevice
        let path = FilePath("/proc/self/fd/\(descriptor)")
        if canBlock, let opened = try? FileDescriptor.open(path, flags: [.writeOnly, .nonBlocking]) {
            target = opened.rawValue
            reopened = consume opened
            mayBlock = false
        } else {
            target = descriptor
            reopened = nil
            mayBlock = canBlock
        }
    }

    /// One write(2), or send(2).
    ///
    /// - Returns: how many of the bytes were taken; 0 when there is no room now, or nobody reads any more.
    func write(_ bytes: Span<UInt8>) -> Int {
        bytes.withUnsafeBytes { buffer in
            // Where it could not be opened anew, the answer to this question may be stale by the time of the write.
            if mayBlock, !hasRoom { return 0 }
            while true {
                let count =
                    kind == .socket
                    ? send(target, buffer.baseAddress, buffer.count, Int32(MSG_DONTWAIT | MSG_NOSIGNAL))
                    : Glibc.write(target, buffer.baseAddress, buffer.count)
                if count >= 0 { return count }
                if errno != EINTR { return 0 }
            }
        }
    }

    private var hasRoom: Bool {
        var request = pollfd(fd: target, events: Int16(POLLOUT), revents: 0)
        return poll(&request, 1, 0) == 1
    }

    /// True when the journal reads this: $JOURNAL_STREAM names its device and inode.
    static func isJournal(_ descriptor: Int32, stream: String?) -> Bool {
        var status = stat()
        guard let stream, fstat(descriptor, &status) == 0 else { return false }
        return stream == "\(status.st_dev):\(status.st_ino)"
    }
}
