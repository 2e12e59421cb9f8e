internal import AttachmentRules
internal import Hashing
internal import Kernel

/// Puts the outcomes of pushes in place: a directory for each, with its results and one manifest, by one rename.
///
/// A directory is made under a reserved name beside its place, synced, and then renamed there. One that is there already
/// is exchanged with it and removed, as far as it is ours: what a manifest of ours names, and the manifest.
final class GroupPublication: Sendable {
    private let output: OutputTree
    /// The most entries of a directory of ours: results, a still picture with each film, manifest, and a file that is
    /// being written.
    private static let mostEntries = 2 * GroupPlan.mostAttachments + 2

    init(_ output: OutputTree, items: [GroupItem]) throws(BatchFailure) {
        self.output = output
        for parent in Set(items.map(\.parent)) { try sweep(parent) }
    }

    /// The manifest of an earlier run, if it published the same push with the same recipe, and every result is still
    /// what it was.
    func unchanged(_ item: GroupItem, sha256: String, recipe: String) throws -> Manifest? {
        guard let earlier = try standing(item), earlier.status == .published, earlier.source.sha256 == sha256,
            earlier.recipe == recipe, !earlier.outputs.isEmpty, let directory = try? output.open(item.target),
            let listing = try? DirectoryListing(of: directory, atMost: Self.mostEntries)
        else { return nil }
        let isWhole = earlier.outputs.allSatisfy { result in
            // The manifest has a name that is not UTF-8 with escapes.
            guard let name = listing.entries.first(where: { result.names($0.name) })?.name, let bytes = result.bytes,
                let contents = output.contents(name, in: item.target, atMost: bytes)
            else { return false }
            return Digest.hex(contents.span) == result.sha256
        }
        return isWhole ? earlier : nil
    }

    /// - Parameter results: by the names that the manifest tells.
    /// - Throws: `Rejection` when the place is taken by something that mediaprep did not make.
    func publish(_ results: [(name: FilePath, file: ResultFile)], _ manifest: Manifest, for item: GroupItem) throws {
        let hasEarlier = try standing(item) != nil
        let staged = OutputNames.staged(item.name)
        let stage = item.parent.appending(staged)
        let document = ManifestCoding.document(manifest)
        var isStaged = false
        do throws(Errno) {
            let parent = try output.openCreating(item.parent)
            try FileDescriptor.makeDirectory(staged, relativeTo: parent)
            isStaged = true
            let directory = try FileDescriptor.openBeneath(staged, relativeTo: parent, flags: .directory)
            // First, because it says what is ours.
            try Self.write(document.span, to: OutputNames.groupManifest, in: directory)
            for (name, result) in results {
                try result.file.withBytes { (bytes) throws(Errno) in try Self.write(bytes, to: name, in: directory) }
            }
            try directory.sync()
            try FileDescriptor.rename(
                staged, in: parent, to: item.name, in: parent, ifTaken: hasEarlier ? .exchange : .refuse)
        } catch {
            // The first error is the one to tell.
            try? remove(staged, in: item.parent)
            throw output.failure(error, at: isStaged && error == .fileExists ? item.target : stage)
        }
        if hasEarlier { try remove(staged, in: item.parent) }
    }

    /// Records a refusal. What an earlier run published for this push is then no longer its outcome, unless the refusal
    /// may be gone the next time and says nothing against it.
    func reject(_ manifest: Manifest, for item: GroupItem) throws {
        if let earlier = try standing(item), earlier.status == .published, let code = manifest.rejection?.code,
            code.mayPass, manifest.source.sha256 == nil || manifest.source.sha256 == earlier.source.sha256
        {
            return
        }
        try publish([], manifest, for: item)
    }

    /// The manifest of the directory that is in the push's place; nil where that is free.
    ///
    /// - Throws: `Rejection` when anything there is not ours.
    private func standing(_ item: GroupItem) throws -> Manifest? {
        guard try output.status(of: item.name, in: item.parent) != nil else { return nil }
        guard let directory = try? output.open(item.target),
            let listing = try? DirectoryListing(of: directory, atMost: Self.mostEntries), listing.isWhole,
            let manifest = manifest(in: item.target), listing.entries.allSatisfy({ isOurs($0, by: manifest) })
        else { throw output.taken(item.target) }
        return manifest
    }

    private func manifest(in target: FilePath) -> Manifest? {
        output.contents(OutputNames.groupManifest, in: target, atMost: 1 << 20).flatMap(ManifestCoding.read)
    }

    private func isOurs(_ entry: DirectoryListing.Entry, by manifest: Manifest) -> Bool {
        entry.kind == .regular
            && (entry.name == OutputNames.groupManifest || OutputNames.isTemporary(entry.name)
                || manifest.outputs.contains { $0.names(entry.name) })
    }

    /// Removes what is ours of a directory, the manifest last, and the directory when nothing else is in it.
    private func remove(_ name: FilePath, in parent: FilePath) throws(BatchFailure) {
        let target = parent.appending(name)
        do throws(Errno) {
            let directory = try output.open(target)
            let manifest = manifest(in: target)
            let entries = try DirectoryListing(of: directory).entries.filter { entry in
                manifest.map { isOurs(entry, by: $0) } ?? OutputNames.isTemporary(entry.name)
            }
            for entry in entries where entry.name != OutputNames.groupManifest {
                try FileDescriptor.unlink(entry.name, relativeTo: directory)
            }
            if manifest != nil { try FileDescriptor.unlink(OutputNames.groupManifest, relativeTo: directory) }
            do throws(Errno) {
                try FileDescriptor.removeDirectory(name, relativeTo: output.open(parent))
            } catch .directoryNotEmpty {
                // Somebody put something into it.
            }
        } catch .noSuchFileOrDirectory {
        } catch {
            throw output.fault(error, at: target)
        }
    }

    /// Removes what a run left that was killed; the lock keeps other runs away.
    private func sweep(_ parent: FilePath) throws(BatchFailure) {
        guard let directory = try? output.open(parent), let listing = try? DirectoryListing(of: directory) else {
            return
        }
        for entry in listing.entries where entry.kind == .directory && OutputNames.isStaged(entry.name) {
            try remove(entry.name, in: parent)
        }
    }

    private static func write(
        _ bytes: Span<UInt8>, to name: FilePath, in directory: borrowing FileDescriptor
    ) throws(Errno) {
        try PublishedFile.write(
            bytes, named: name, in: directory, temporaryName: OutputNames.temporary(for: name), sync: true)
    }
}
