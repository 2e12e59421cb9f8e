internal import AttachmentRules
internal import Kernel

/// The directory that results are written to: locked for one batch, every path opened below it without following links.
final class OutputTree: Sendable {
    private let path: FilePath
    private let root: FileDescriptor

    /// Creates the directory where it is missing, and locks it.
    init(_ path: FilePath) throws(BatchFailure) {
        self.path = path
        do throws(Errno) {
            try Self.makeDirectories(path)
            root = try FileDescriptor.open(path, flags: .directory)
        } catch {
            throw .output(path, error)
        }
        do throws(Errno) {
            try root.lock(exclusive: true, nonblocking: true)
        } catch {
            throw error == .wouldBlock ? .outputInUse(path) : .output(path, error)
        }
    }

    /// The status of a directory that is there already, by which it is recognised when it lies inside a source.
    static func status(of path: FilePath) -> FileStatus? {
        try? FileDescriptor.open(path, flags: .directory).status()
    }

    /// Puts a file in place as a whole: no name ever leads to a part of it.
    ///
    /// - Throws: `Rejection` when something that mediaprep did not make stands in the way; otherwise `BatchFailure`.
    func write(_ bytes: Span<UInt8>, to name: FilePath, in target: FilePath) throws {
        do throws(Errno) {
            let directory = try openCreating(target)
            try PublishedFile.write(
                bytes, named: name, in: directory, temporaryName: OutputNames.temporary(for: name), sync: false)
        } catch {
            throw failure(error, at: target.appending(name))
        }
    }

    /// Gives a file that is in place another name, which it replaces.
    func rename(_ name: FilePath, to newName: FilePath, in target: FilePath) throws {
        do throws(Errno) {
            try FileDescriptor.rename(name, to: newName, in: open(target))
        } catch {
            throw failure(error, at: target.appending(newName))
        }
    }

    /// The manifest under this name, if it is one of ours.
    ///
    /// - Throws: `Rejection` when the name is taken by something else. An empty file, or one of zeros only, is what a
    ///   power cut can leave of ours.
    func manifest(_ name: FilePath, in target: FilePath) throws -> Manifest? {
        guard try status(of: name, in: target) != nil else { return nil }
        guard let contents = contents(name, in: target, atMost: 1 << 20) else { throw taken(name) }
        if contents.allSatisfy({ $0 == 0 }) { return nil }
        guard let manifest = ManifestCoding.read(contents) else { throw taken(name) }
        return manifest
    }

    /// What a file holds, or nil when it is missing, not a regular file or longer than `limit` bytes.
    func contents(_ name: FilePath, in target: FilePath, atMost limit: Int) -> [UInt8]? {
        try? FileDescriptor.contentsBeneath(target.appending(name), relativeTo: root, maximumBytes: limit)
    }

    /// What the name stands for, of whatever kind; nil when it is free.
    func status(of name: FilePath, in target: FilePath) throws(BatchFailure) -> FileStatus? {
        do throws(Errno) {
            let directory = try open(target)
            return try FileDescriptor.status(of: name, relativeTo: directory)
        } catch {
            if [.noSuchFileOrDirectory, .notDirectory, .symbolicLink].contains(error) { return nil }
            throw .output(path.appending(target).appending(name), error)
        }
    }

    /// The refusal of a source whose outcome would replace what mediaprep did not make.
    func taken(_ name: FilePath) -> Rejection {
        Rejection(
            .outputExists, rule: .notAFile, stage: .publish,
            "\(name) is there already and was not made by mediaprep; move it away or choose another output.")
    }

    /// The manifests in the directory that say that this file is their result, by their names.
    func manifests(naming result: FilePath, in target: FilePath) -> [FilePath: Manifest] {
        guard let directory = try? open(target), let listing = try? DirectoryListing(of: directory) else { return [:] }
        var found: [FilePath: Manifest] = [:]
        for entry in listing.entries where entry.kind == .regular && entry.name.bytes.hasSuffix(".json") {
            if let manifest = try? manifest(entry.name, in: target), manifest.names(result) {
                found[entry.name] = manifest
            }
        }
        return found
    }

    /// Removes the parts of files that a killed run left in a directory; the lock keeps other runs away.
    func sweep(_ target: FilePath) throws(BatchFailure) {
        guard let directory = try? open(target), let listing = try? DirectoryListing(of: directory) else { return }
        for entry in listing.entries where entry.kind == .regular && OutputNames.isTemporary(entry.name) {
            try remove(entry.name, in: target)
        }
    }

    /// Removes a file that an earlier run made and that is no longer the outcome of its source.
    func remove(_ name: FilePath, in target: FilePath) throws(BatchFailure) {
        do throws(Errno) {
            try FileDescriptor.unlink(name, relativeTo: open(target))
        } catch {
            throw .output(path.appending(target).appending(name), error)
        }
    }

    /// Waits until everything written is on the disk.
    func sync() throws(BatchFailure) {
        do throws(Errno) { try root.syncFileSystem() } catch { throw .output(path, error) }
    }

    func failure(_ error: Errno, at path: FilePath) -> any Error {
        // A directory where a file belongs, or the other way about, is the matter of that one source.
        [.isDirectory, .notDirectory, .symbolicLink, .fileExists, .directoryNotEmpty].contains(error)
            ? taken(path) : fault(error, at: path)
    }

    func fault(_ error: Errno, at path: FilePath) -> BatchFailure { .output(self.path.appending(path), error) }

    func open(_ target: FilePath) throws(Errno) -> FileDescriptor {
        try FileDescriptor.openBeneath(target.isEmpty ? "." : target, relativeTo: root, flags: .directory)
    }

    func openCreating(_ target: FilePath) throws(Errno) -> FileDescriptor {
        do throws(Errno) {
            return try open(target)
        } catch .noSuchFileOrDirectory {
            var made: FilePath = ""
            for component in target.components {
                let parent = try open(made)
                do throws(Errno) {
                    try FileDescriptor.makeDirectory(component, relativeTo: parent)
                } catch .fileExists {
                    // Another lane made it.
                }
                made = made.appending(component)
            }
            return try open(target)
        }
    }

    private static func makeDirectories(_ path: FilePath) throws(Errno) {
        var made: FilePath = path.isAbsolute ? "/" : ""
        for component in path.components {
            made = made.appending(component)
            do throws(Errno) {
                try FileDescriptor.makeDirectory(made)
            } catch .fileExists {
                // Opening it will tell whether it is a directory.
            }
        }
    }
}

extension [UInt8] {
    fileprivate func hasSuffix(_ text: String) -> Bool { suffix(text.utf8.count).elementsEqual(text.utf8) }
}

extension Manifest {
    /// Whether one of its results has that name.
    func names(_ result: FilePath) -> Bool { outputs.contains { $0.names(result) } }
}

extension Manifest.Output {
    /// Whether this result has that name. Bytes are compared: to a file system, two spellings of é are two names.
    func names(_ result: FilePath) -> Bool { file?.utf8.elementsEqual(result.display.utf8) ?? false }
}
