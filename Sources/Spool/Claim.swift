public import Kernel
import Synchronization

/// A thing from the inbox that is ours alone, until `Spool.settle` has said where it ends.
///
/// A claim cannot be settled twice, because settling consumes it, and one that is forgotten ends the process: its file
/// would wait in the work directory for nobody.
public struct Claim: ~Copyable, Sendable {
    public let id: ClaimID
    /// Its name in the inbox: any bytes but NUL and slash.
    public let name: FilePath
    /// Attempts that were started, this one with them.
    public let attempts: Int
    /// What it was when it was claimed; only a regular file, or a directory and those in it, is ever opened.
    public let kind: FileKind
    let work: FilePath
    let progress: ClaimProgress
    private let mark: CrashMark

    /// The calling thread has the claim in hand.
    init(_ entry: ClaimEntry, work: FilePath, mark: consuming CrashMark) {
        id = entry.id
        name = entry.name
        attempts = entry.attempts
        kind = entry.kind
        self.work = work
        self.mark = mark
        progress = ClaimProgress()
        takeInHand()
    }

    deinit {
        if !progress.isSettled {
            fatalError("The claim \(id) of \(name) was forgotten: every claim has to be settled.")
        }
    }

    /// Opens the file for reading; EINVAL for anything but a regular file, EACCES for one that may not be read.
    public func open() throws(Errno) -> FileDescriptor {
        guard kind == .regular else { throw .invalidArgument }
        let file = try FileDescriptor.openBeneath(
            directory.name.appending(name), relativeTo: FileDescriptor.open(work, flags: .directory))
        guard try file.status().kind == .regular else { throw .invalidArgument }
        return file
    }

    /// Where the directory lies that was claimed, for as long as the attempt lasts.
    public var place: ClaimedDirectory { ClaimedDirectory(work: work, path: directory.name.appending(name)) }

    /// Makes the calling thread the one that is blamed: if it dies of a fatal signal, the claim is marked as crashed.
    public func takeInHand() {
        mark.hold()
    }

    /// No thread is blamed, until one takes the claim in hand: it waits for another thread.
    public func putDown() {
        mark.release()
    }

    var directory: ClaimDirectory { ClaimDirectory(id: id, state: .attempt(attempts)) }

    static func mark(for directory: ClaimDirectory, in work: FilePath) throws(SpoolFailure) -> CrashMark {
        do throws(Errno) {
            return try CrashMark(
                renaming: work.appending(directory.name), to: work.appending(directory.with(.crashed).name))
        } catch {
            throw SpoolFailure(work, error)
        }
    }
}

/// A directory that was claimed, to be opened as often as it takes.
public struct ClaimedDirectory: Sendable {
    let work: FilePath
    let path: FilePath

    /// Opens it for reading; EACCES when it may not be read, ENOTDIR when it is none.
    public func open() throws(Errno) -> FileDescriptor {
        try FileDescriptor.openBeneath(
            path, relativeTo: FileDescriptor.open(work, flags: .directory), flags: .directory)
    }
}

/// What a claim has behind it, across attempts to settle it.
final class ClaimProgress: Sendable {
    private struct Steps {
        var isSettled = false
        var isOnDisk = false
        var suspects: Set<FilePath> = []
        var place: FilePath?
    }

    private let steps = Mutex(Steps())

    var isSettled: Bool {
        get { steps.withLock(\.isSettled) }
        set { steps.withLock { $0.isSettled = newValue } }
    }

    /// Whether the file and its name in the work directory are known to survive a power cut.
    var isOnDisk: Bool {
        get { steps.withLock(\.isOnDisk) }
        set { steps.withLock { $0.isOnDisk = newValue } }
    }

    /// The names of files of which an fsync(2) failed: another one would not tell of that any more.
    var suspects: Set<FilePath> {
        get { steps.withLock(\.suspects) }
        set { steps.withLock { $0.suspects = newValue } }
    }

    /// The name in `done` or `rejected` that the file has already.
    var place: FilePath? {
        get { steps.withLock(\.place) }
        set { steps.withLock { $0.place = newValue } }
    }
}

/// What came of an attempt to claim a candidate.
public enum ClaimAttempt: ~Copyable, Sendable {
    case claimed(Claim)
    /// There is nothing of that name any more.
    case gone
    /// It is not what it was when it was found ready; it is where it was, or among `Spool.takeStranded`.
    case changed
    /// It cannot be moved, for a reason of its own: EPERM, EACCES, EBUSY, EINVAL for its name. From another mount, where
    /// it would have to be copied, also EXDEV for anything but a regular file, EFBIG for one that is too long, and
    /// whatever reading it fails with.
    case immovable(Errno)
}
