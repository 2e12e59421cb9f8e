import CLinux
import Glibc

/// One end of a SOCK_SEQPACKET connection: whole messages in order, with descriptors, and an end that is noticed.
public struct MessageSocket: ~Copyable, Sendable {
    /// The descriptor itself, to wait on.
    public let descriptor: FileDescriptor

    /// Takes over an inherited socket.
    public init(adopting descriptor: consuming FileDescriptor) {
        self.descriptor = descriptor
    }

    /// The two ends of a new connection. Frozen, because only then may another module take it apart.
    @frozen
    public struct Pair: ~Copyable, Sendable {
        public var near: MessageSocket
        public var far: MessageSocket
    }

    /// One message that was received, with the descriptors that came along. Frozen for the same reason.
    @frozen
    public struct Message: ~Copyable, Sendable {
        public var bytes: [UInt8]
        public var descriptors: ReceivedDescriptors
    }

    /// socketpair(2) of AF_UNIX.
    public static func pair() throws(Errno) -> Pair {
        var numbers: [Int32] = [-1, -1]
        let type = Int32(SOCK_SEQPACKET.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        try systemCall { socketpair(AF_UNIX, type, 0, &numbers) }
        return Pair(
            near: MessageSocket(adopting: FileDescriptor(adopting: numbers[0])),
            far: MessageSocket(adopting: FileDescriptor(adopting: numbers[1])))
    }

    /// sendmsg(2) of one message that is not empty, with copies of `descriptors` (at most 16); never waits.
    ///
    /// EPIPE or ECONNRESET when the other end is gone, EAGAIN when it does not read, EMSGSIZE when the message is too
    /// long for the socket.
    public func send(_ bytes: [UInt8], descriptors: [Int32] = []) throws(Errno) {
        // On this kind of socket an empty message looks like the end.
        guard !bytes.isEmpty else { throw .invalidArgument }
        try systemCall { linux_send(descriptor.rawValue, bytes, bytes.count, descriptors, descriptors.count) }
    }

    /// ioctl(SIOCOUTQ): whether the other end has yet to read something that was sent to it.
    public var hasUnread: Bool {
        get throws(Errno) { try systemCall { linux_has_unread(descriptor.rawValue) } == 1 }
    }

    /// recvmsg(2) of one message; waits for it. Nil when the other end is closed and everything was read.
    ///
    /// EMSGSIZE when the message has more bytes or descriptors than given here; nothing of it is kept then. ECONNRESET
    /// when the other end was closed before it had read everything that was sent to it.
    public func receive(maximumBytes: Int, maximumDescriptors: Int) throws(Errno) -> Message? {
        var bytes = [UInt8](repeating: 0, count: maximumBytes)
        var numbers = [Int32](repeating: -1, count: Int(LINUX_MESSAGE_DESCRIPTORS))
        var numberCount = 0
        var isTruncated = false
        let count = try systemCall {
            linux_receive(descriptor.rawValue, &bytes, bytes.count, &numbers, &numberCount, &isTruncated)
        }
        // Owned from here on, whatever happens next.
        let descriptors = ReceivedDescriptors(adopting: numbers[..<numberCount])
        guard !isTruncated, descriptors.count <= maximumDescriptors else { throw .messageTooLong }
        if count == 0 { return nil }
        bytes.removeSubrange(count...)
        return Message(bytes: bytes, descriptors: descriptors)
    }
}

/// The descriptors of one message, in their order; those that nobody takes are closed.
public struct ReceivedDescriptors: ~Copyable, Sendable {
    private var numbers: ArraySlice<Int32>

    init(adopting numbers: ArraySlice<Int32>) {
        self.numbers = numbers
    }

    deinit {
        for number in numbers { _ = Glibc.close(number) }
    }

    public var count: Int { numbers.count }

    /// Hands out the first one that is left.
    public mutating func takeFirst() -> FileDescriptor? {
        guard let number = numbers.popFirst() else { return nil }
        return FileDescriptor(adopting: number)
    }
}
