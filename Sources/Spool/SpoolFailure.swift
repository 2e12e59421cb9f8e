public import Kernel

/// Why the spool could not do something; no file in it is to blame.
public struct SpoolFailure: Error, Equatable, Sendable {
    /// Where it happened.
    public let path: FilePath
    /// What the system said; EAGAIN for `inUse`, EINVAL for `nested`.
    public let error: Errno
    public let kind: Kind

    public enum Kind: Equatable, Sendable {
        /// Another process works in this root, or in this outbox: `path` is the lock in it.
        case inUse
        /// `path` is this directory or lies in it, by whatever names.
        case nested(in: FilePath)
        /// A fault of the disk or of the system: it may pass, and the same can be tried again later.
        case fault
    }

    public init(_ path: FilePath, _ error: Errno) {
        self.init(path, error, .fault)
    }

    private init(_ path: FilePath, _ error: Errno, _ kind: Kind) {
        self.path = path
        self.error = error
        self.kind = kind
    }

    static func inUse(_ lock: FilePath) -> SpoolFailure {
        SpoolFailure(lock, .wouldBlock, .inUse)
    }

    static func nested(_ path: FilePath, in outer: FilePath) -> SpoolFailure {
        SpoolFailure(path, .invalidArgument, .nested(in: outer))
    }
}

extension SpoolFailure: CustomStringConvertible {
    /// One sentence for operators: where, what, and the way out.
    public var description: String {
        switch kind {
        case .inUse:
            "\(path) is locked: another mediaprep works in \(path.removingLastComponent); stop it or choose another place."
        case .nested(let outer) where outer == path:
            "\(path) serves two purposes; give each directory a place of its own."
        case .nested(let outer):
            "\(path) lies in \(outer); give each directory a place of its own."
        case .fault:
            "\(path): \(error); \(wayOut)."
        }
    }

    private var wayOut: String {
        switch error {
        case .noSpace: "free space or inodes there"
        case .quotaExceeded: "raise the quota or free space there"
        case .readOnlyFileSystem: "mount it writable"
        case .inputOutput: "check the disk and the kernel's log"
        case .permissionDenied, .notPermitted: "give the service's user the right to read and write there"
        case .noSuchFileOrDirectory: "create or mount it, or start the service anew, which creates it"
        case .notDirectory, .symbolicLink, .isDirectory, .fileExists, .directoryNotEmpty:
            "move away what is in its place"
        case .tooManyOpenFiles: "raise the limit of open files (LimitNOFILE) if this does not pass"
        case .tooManyOpenFilesInSystem: "raise fs.file-max if this does not pass"
        case .outOfMemory: "give the service more memory if this does not pass"
        case .crossesBoundary: "keep the directories of the root on one mount"
        default: "it is tried again"
        }
    }
}
