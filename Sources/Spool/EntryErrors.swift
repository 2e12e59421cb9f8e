import Glibc
import Kernel

/// What an error says of the entry that was to be moved.
///
/// Whoever may put something into the inbox can see to it that it cannot be moved on: a directory that may not be written
/// to keeps its parent, a mount point its place. What is the entry's own must not be waited out, for it never passes.
extension Errno {
    /// Whether renaming fails with this for a reason of the entry's own.
    ///
    /// - Parameter mayChange: whether entries of the directories on both sides may be changed. Where they may not, no
    ///   entry is to blame for EPERM and EACCES.
    func isOfEntry(mayChange: @autoclosure () -> Bool) -> Bool {
        switch self {
        case .notPermitted, .permissionDenied: mayChange()
        case .resourceBusy, .textFileBusy, .crossesBoundary, .isDirectory: true
        default: isOfName
        }
    }

    /// Whether it is the name that a file system does not take.
    var isOfName: Bool {
        [.invalidArgument, .nameTooLong, Errno(rawValue: EILSEQ)].contains(self)
    }

    /// Whether the system lacks what opening or reading takes, of whatever file.
    var isShortage: Bool {
        [.tooManyOpenFiles, .tooManyOpenFilesInSystem, .outOfMemory].contains(self)
    }
}
