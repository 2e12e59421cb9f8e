public import Kernel

/// What the operator should hear about the inbox.
public enum ArrivalNews: Equatable, Sendable {
    /// Events work: arrivals are noticed at once.
    case watching
    /// There are no events: the inbox is looked through again and again.
    case polling(PollingReason)
    /// More events came than the kernel keeps: the whole inbox is looked through instead.
    case overflowed
    /// The inbox's path stands for another directory than before, which is watched from now on.
    case inboxReplaced(FilePath)
    /// The inbox cannot be read; tried again every second.
    case inboxUnavailable(FilePath, Errno)
    /// The inbox can be read again.
    case inboxAvailable(FilePath)

    public enum PollingReason: Equatable, Sendable {
        /// By the settings.
        case asked
        /// A file made for a test caused no event.
        case silent
        /// The file system is changed by others too, without events.
        case remote
        /// inotify_init1(2) or inotify_add_watch(2) failed.
        case unwatchable(Errno)
    }
}

extension ArrivalNews: CustomStringConvertible {
    /// One sentence for the log.
    public var description: String {
        switch self {
        case .watching: "The inbox is watched by events."
        case .polling(.asked): "The inbox is looked through again and again, as the settings say."
        case .polling(.silent):
            "The inbox is looked through again and again: a file made for a test caused no event."
        case .polling(.remote):
            "The inbox is looked through again and again: others can change its file system without an event."
        case .polling(.unwatchable(let error)):
            "The inbox is looked through again and again: it cannot be watched: \(error)."
        case .overflowed: "Events of the inbox were lost; it is looked through."
        case .inboxReplaced(let path): "\(path) is another directory than before; it is looked through."
        case .inboxUnavailable(let path, let error): "\(path) cannot be read: \(error). Tried again every second."
        case .inboxAvailable(let path): "\(path) can be read again."
        }
    }
}
