internal import AttachmentRules
internal import Kernel

/// Takes a source's bytes once, into sealed memory that nobody can change while it is judged and decoded.
enum Intake {
    // A writer may still be at work: a source that keeps changing is refused, not half read.
    private static let attempts = 3

    /// - Parameters:
    ///   - kind: what the source is by its name; only a regular file is opened.
    ///   - blamed: whether an error in reading it is the source's own.
    ///   - open: opens the source for reading; called once more when it changed while it was read.
    /// - Throws: `Rejection` when it is not a regular file, is empty or too large, or cannot be read; `WorkFailure` when
    ///   the system lacks what reading takes.
    static func snapshot(
        of kind: FileKind, limits: Limits, blamed: (Errno) -> Bool, open: () throws(Errno) -> FileDescriptor
    ) throws -> SealedFile {
        guard kind == .regular else { throw notRegular(kind) }
        for _ in 0..<attempts {
            let source = try reading(blamed, open)
            let before = try reading(blamed) { () throws(Errno) in try source.status() }
            try admit(before, limits)
            let snapshot = try reading(blamed) { () throws(Errno) in
                try MemoryFile.snapshot(of: source, size: before.size).seal()
            }
            // The times tell of a write; the length alone tells of a file that got shorter before it was read.
            let after = try reading(blamed) { () throws(Errno) in try source.status() }
            if after == before, snapshot.size == before.size { return snapshot }
        }
        throw changed
    }

    static let changed = Rejection(
        .changedWhileRead, rule: .notAFile, stage: .intake,
        "The file kept changing while it was read; send it again when its writer is done.")

    private static func admit(_ status: FileStatus, _ limits: Limits) throws(Rejection) {
        guard status.kind == .regular else { throw notRegular(status.kind) }
        guard status.size > 0 else {
            throw Rejection(
                .empty, rule: .notAFile, stage: .intake,
                "The file is empty; send it again when its upload is done.")
        }
        guard status.size <= limits.fileBytes else {
            throw tooLarge(status.size, limits)
        }
    }

    static func reading<Result: ~Copyable>(
        _ blamed: (Errno) -> Bool, _ body: () throws(Errno) -> Result
    ) throws -> Result {
        do throws(Errno) {
            return try body()
        } catch {
            throw failure(error, isOwn: blamed(error))
        }
    }

    /// What an error in reading a source comes to.
    static func failure(_ error: Errno, isOwn: Bool) -> any Error {
        // Its writer holds a lease, and is told by this call to let go of it.
        if error == .wouldBlock { return changed }
        guard isOwn else { return error.isShortage ? WorkFailure.resources(error) : WorkFailure.source(error) }
        // openat2 answers ELOOP for a symbolic link, also where the file turned into one after it was listed.
        return error == .symbolicLink ? notRegular(.symlink) : unreadable(error)
    }

    /// The bytes of a file that was named or found; a shortage is the system's, any other error the file's.
    static func snapshot(of file: SourceFile, limits: Limits) throws -> SealedFile {
        if let problem = file.problem { throw unreadable(problem) }
        return try snapshot(of: file.kind, limits: limits, blamed: { !$0.isShortage }) { () throws(Errno) in
            try file.open()
        }
    }

    static func unreadable(_ error: Errno) -> Rejection {
        Rejection(
            .unreadable, rule: .notAFile, stage: .intake,
            "It cannot be read (\(error)); see that it is there and that this user may read it.")
    }

    static func tooLarge(_ bytes: Int, _ limits: Limits) -> Rejection {
        Rejection(
            .fileTooLarge, rule: .tooManyBytes, stage: .intake,
            "The file has \(bytes) bytes, more than the \(limits.fileBytes) that are read; send a smaller one.")
    }

    static func notRegular(_ kind: FileKind) -> Rejection {
        Rejection(
            .notARegularFile, rule: .notAFile, stage: .intake,
            "It is a \(kind), which is never opened; name the file itself.")
    }
}
