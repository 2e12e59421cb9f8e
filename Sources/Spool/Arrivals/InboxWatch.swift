import Kernel

/// The inbox's watch: which directory it is on, and what its events say.
struct InboxWatch: ~Copyable {
    /// The directory that is watched, or looked through where it cannot be watched; nil for none.
    private(set) var directory: FileStatus?
    private let inbox: FilePath
    private var inotify: Inotify?
    private var number: Int32?
    private var watch: Inotify.Watch?

    init(of inbox: FilePath) {
        self.inbox = inbox
    }

    /// To poll for events; nil where there can be none.
    var descriptor: Int32? { isOn ? number : nil }

    var isOn: Bool { watch != nil }

    /// True when `status` is of the directory that is watched or looked through; whether there is a watch, `isOn` says.
    func isStill(_ status: FileStatus) -> Bool {
        directory?.isSameFile(as: status) ?? false
    }

    /// Follows the inbox's path to `status`; a watch that was on another directory is removed.
    mutating func follow(_ status: FileStatus) {
        leave()
        directory = status
    }

    /// Lets go of the directory: events of one that was renamed away would name files that are not in the inbox.
    mutating func leave() {
        removeWatch()
        directory = nil
    }

    mutating func removeWatch() {
        if let watch { inotify?.remove(watch) }
        watch = nil
    }

    /// Gives the instance back as well.
    mutating func close() {
        removeWatch()
        inotify = nil
        number = nil
    }

    /// Watches the directory; EBUSY when the path stands for another one by now.
    mutating func arm() throws(Errno) {
        removeWatch()
        if inotify == nil {
            let made = try Inotify()
            number = made.descriptor.rawValue
            inotify = consume made
        }
        watch = try inotify?.watch(inbox)
        // A watch is asked for by path: only now is it known what it is on.
        guard isStill(try FileDescriptor.status(following: inbox)) else {
            leave()
            throw .resourceBusy
        }
    }

    /// Whether others can change the directory without an event.
    func isRemote() -> Bool {
        guard let opened = try? FileDescriptor.open(inbox, flags: .directory) else { return false }
        return opened.isOnRemoteFileSystem
    }

    /// Some of the events there are, without those of watches that were removed; nil when there are no more.
    mutating func read() throws(Errno) -> [Inotify.Event]? {
        guard watch != nil, let events = try inotify?.read(), !events.isEmpty else { return nil }
        var kept: [Inotify.Event] = []
        for event in events where event.change == .overflowed || (watch != nil && event.watch == watch) {
            if event.change == .watchEnded { watch = nil }
            kept.append(event)
        }
        return kept
    }
}
