import Glibc

/// Watches directories: inotify(7). A hint only: events can be lost, and some file systems have none.
public struct Inotify: ~Copyable, Sendable {
    /// Readable while there are events.
    public let descriptor: FileDescriptor

    /// inotify_init1(2); EMFILE when the user has no instance left.
    public init() throws(Errno) {
        descriptor = FileDescriptor(adopting: try systemCall { inotify_init1(Int32(IN_CLOEXEC | IN_NONBLOCK)) })
    }

    /// A watched directory's number; never used twice while the instance lives.
    public struct Watch: Hashable, Sendable {
        let rawValue: Int32
    }

    /// What happened to an entry of a watched directory, or to the directory itself.
    public struct Event: Equatable, Sendable {
        /// Nil when events were lost, of whatever directory.
        public var watch: Watch?
        public var change: Change
        /// Empty for what happened to the directory itself.
        public var name: FilePath
    }

    public enum Change: Sendable {
        /// IN_CREATE: made, or linked in; a file may have nothing in it yet.
        case created
        /// IN_CLOSE_WRITE: somebody who could write to it has closed it.
        case closed
        /// IN_MOVED_TO
        case renamedIn
        /// IN_DELETE_SELF, IN_MOVE_SELF or IN_UNMOUNT: the directory's path may stand for something else now.
        case directoryMoved
        /// IN_IGNORED: the watch exists no more.
        case watchEnded
        /// IN_Q_OVERFLOW: events were lost.
        case overflowed
    }

    private static let watched = UInt32(
        IN_CREATE | IN_CLOSE_WRITE | IN_MOVED_TO | IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR)

    /// inotify_add_watch(2); ENOTDIR for anything but a directory, ENOSPC when the user has no watch left.
    public func watch(_ directory: FilePath) throws(Errno) -> Watch {
        let inotify = descriptor.rawValue
        let number = try directory.withCString { (path) throws(Errno) in
            try systemCall { inotify_add_watch(inotify, path, Self.watched) }
        }
        return Watch(rawValue: number)
    }

    /// inotify_rm_watch(2). Says nothing of a watch that is gone already; events that were read before may still name it.
    public func remove(_ watch: Watch) {
        _ = inotify_rm_watch(descriptor.rawValue, watch.rawValue)
    }

    /// read(2) of the events there are, up to a few hundred; empty when there are none.
    public func read() throws(Errno) -> [Event] {
        // Records have 16 to 272 bytes.
        var buffer = [UInt8](repeating: 0, count: 16 << 10)
        let count: Int
        do throws(Errno) {
            count = try buffer.withUnsafeMutableBufferPointer { (buffer) throws(Errno) in
                try descriptor.read(into: UnsafeMutableRawBufferPointer(buffer))
            }
        } catch .wouldBlock {
            return []
        }
        return buffer.withUnsafeBytes { Self.events(in: UnsafeRawBufferPointer(rebasing: $0[..<count])) }
    }

    /// Each record is a header, and a name that NULs fill up to the length that the header tells.
    private static func events(in bytes: UnsafeRawBufferPointer) -> [Event] {
        let headerSize = MemoryLayout<inotify_event>.size
        var events: [Event] = []
        var rest = bytes[...]
        while rest.count >= headerSize {
            let header = rest.loadUnaligned(as: inotify_event.self)
            let name = rest.dropFirst(headerSize).prefix(Int(header.len))
            rest = rest.dropFirst(headerSize + name.count)
            guard let change = change(Int32(bitPattern: header.mask)) else { continue }
            let watch = header.wd < 0 ? nil : Watch(rawValue: header.wd)
            events.append(Event(watch: watch, change: change, name: FilePath(bytes: name.prefix { $0 != 0 })))
        }
        return events
    }

    /// The kernel tells one change at a time, with flags beside it.
    private static func change(_ mask: Int32) -> Change? {
        if mask & IN_Q_OVERFLOW != 0 { return .overflowed }
        if mask & IN_IGNORED != 0 { return .watchEnded }
        if mask & (IN_DELETE_SELF | IN_MOVE_SELF | IN_UNMOUNT) != 0 { return .directoryMoved }
        if mask & IN_MOVED_TO != 0 { return .renamedIn }
        if mask & IN_CLOSE_WRITE != 0 { return .closed }
        return mask & IN_CREATE != 0 ? .created : nil
    }
}
