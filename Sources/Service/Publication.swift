internal import AttachmentRules
internal import Hashing
internal import Kernel
internal import Synchronization

/// Puts outcomes in place: the picture first, then the manifest that says it is there.
final class Publication: Sendable {
    private let output: OutputTree
    /// The manifest that each result of this batch belongs to, by the result's path.
    private let owners: [FilePath: FilePath]
    /// The paths of this batch's manifests, pending ones too.
    private let manifests: Set<FilePath>
    /// The results that this batch has begun to write.
    private let begun = Mutex<Set<FilePath>>([])

    init(_ output: OutputTree, items: [BatchItem]) throws(BatchFailure) {
        self.output = output
        owners = Dictionary(uniqueKeysWithValues: items.map { ($0.file.target.appending($0.result), $0.manifest) })
        manifests = Set(
            items.flatMap { item in
                [item.manifest, OutputNames.pending(item.manifest)].map { item.file.target.appending($0) }
            })
        for target in Set(items.map(\.file.target)) { try output.sweep(target) }
    }

    /// The manifest of an earlier run, if it published the same bytes with the same recipe, the result is still what it
    /// was, and no run was ended in the middle of replacing it.
    func unchanged(_ item: BatchItem, sha256: String, recipe: String) throws -> Manifest? {
        let target = item.file.target
        guard let earlier = try output.manifest(item.manifest, in: target), earlier.status == .published,
            earlier.source.sha256 == sha256, earlier.recipe == recipe, let name = kept(earlier, of: item),
            holds(earlier.output, at: name, in: target),
            try output.status(of: OutputNames.pending(item.manifest), in: target) == nil
        else { return nil }
        return earlier
    }

    /// Puts a picture and its manifest in place. The picture keeps the name that it has from an earlier run, as long as
    /// no other source of this batch is to have that; else it gets the one that was planned.
    ///
    /// - Parameter describe: gives the manifest of the picture under that name.
    /// - Returns: the manifest.
    /// - Throws: `Rejection` when one of the two names is taken by something that mediaprep did not make, or that is the
    ///   result of a source outside of this batch.
    func publish(
        _ picture: borrowing SealedFile, for item: BatchItem, _ describe: (FilePath) -> Manifest
    ) throws -> Manifest {
        let target = item.file.target
        let earlier = try output.manifest(item.manifest, in: target)
        let name = kept(earlier, of: item) ?? item.result
        let manifest = describe(name)
        try checkOwnership(of: name, for: item, digest: manifest.output?.sha256, earlier: earlier)
        begun.withLock { _ = $0.insert(target.appending(name)) }
        let pending = OutputNames.pending(item.manifest)
        try output.write(ManifestCoding.document(manifest).span, to: pending, in: target)
        do {
            try picture.withBytes { bytes in try output.write(bytes, to: name, in: target) }
        } catch {
            // The first error is the one to tell.
            try? output.remove(pending, in: target)
            throw error
        }
        // From here on the pending manifest stays, whatever happens: it says whose the picture is.
        try clearAway(earlier, of: item, keeping: name)
        try output.rename(pending, to: item.manifest, in: target)
        return manifest
    }

    /// Records a refusal. What an earlier run published for this source is then no longer its outcome and is removed,
    /// unless the refusal may be gone the next time and says nothing against that result.
    func reject(_ manifest: Manifest, for item: BatchItem) throws {
        let target = item.file.target
        let earlier = try output.manifest(item.manifest, in: target)
        let pending = OutputNames.pending(item.manifest)
        let left = try output.manifest(pending, in: target)
        let code = manifest.rejection?.code
        if let earlier, earlier.status == .published, left == nil, code?.mayPass == true,
            manifest.source.sha256 == nil || manifest.source.sha256 == earlier.source.sha256 || code == .outputExists
        {
            return
        }
        try clearAway(earlier, of: item, keeping: nil)
        // What a run left that was killed before its manifest had its name.
        if let left {
            try clearAway(left, of: item, keeping: nil)
            try output.remove(pending, in: target)
        }
        try output.write(ManifestCoding.document(manifest).span, to: item.manifest, in: target)
    }

    private func checkOwnership(
        of name: FilePath, for item: BatchItem, digest: String?, earlier: Manifest?
    ) throws {
        let target = item.file.target
        guard let standing = try output.status(of: name, in: target) else { return }
        if isSource(standing, of: item) { throw output.taken(name) }
        if earlier?.output?.names(name) == true { return }
        // Nothing is lost with the same bytes, nor with an empty file, which a power cut can leave of a picture.
        let contents = output.contents(name, in: target, atMost: 1 << 24)
        if let contents, contents.isEmpty || Digest.hex(contents.span) == digest { return }
        // Another source of this batch hands it over, or a run was ended in the middle. What a source outside of this
        // batch has as its intact result stays.
        let namers = output.manifests(naming: name, in: target)
        let isFree = namers.allSatisfy { manifest, claim in
            manifests.contains(target.appending(manifest)) || !holds(claim.output, at: name, in: target)
        }
        guard !namers.isEmpty, isFree else { throw output.taken(name) }
    }

    /// The result's name that an earlier manifest tells, if this source may go on using it.
    private func kept(_ earlier: Manifest?, of item: BatchItem) -> FilePath? {
        guard let name = name(in: earlier, of: item) else { return nil }
        return owners[item.file.target.appending(name), default: item.manifest] == item.manifest ? name : nil
    }

    // A manifest escapes what is not UTF-8, so a name is not read from it but found again among those that it can be.
    private func name(in manifest: Manifest?, of item: BatchItem) -> FilePath? {
        guard let output = manifest?.output else { return nil }
        return OutputNames.candidates(for: item.file.name).first(where: output.names)
    }

    // Before the new manifest, so that there is always one that names the file: a name that another source of this batch
    // takes over is found either named or gone, never without an owner.
    private func clearAway(
        _ earlier: Manifest?, of item: BatchItem, keeping result: FilePath?
    ) throws(BatchFailure) {
        guard let name = name(in: earlier, of: item), name != result else { return }
        let target = item.file.target
        let path = target.appending(name)
        try begun.withLock { (begun) throws(BatchFailure) in
            let isTakenOver = owners[path, default: item.manifest] != item.manifest && begun.contains(path)
            guard !isTakenOver, holds(earlier?.output, at: name, in: target),
                let standing = try output.status(of: name, in: target), !isSource(standing, of: item)
            else { return }
            try output.remove(name, in: target)
        }
    }

    // A source may lie in the output; its own outcome neither replaces nor removes it.
    private func isSource(_ standing: FileStatus, of item: BatchItem) -> Bool {
        (try? FileDescriptor.status(of: item.file.givenPath))?.isSameFile(as: standing) ?? false
    }

    private func holds(_ picture: Manifest.Output?, at name: FilePath, in target: FilePath) -> Bool {
        guard let picture, let bytes = picture.bytes,
            let contents = output.contents(name, in: target, atMost: bytes)
        else { return false }
        return Digest.hex(contents.span) == picture.sha256
    }
}

extension Rejection.Code {
    /// True where the same file may be accepted the next time.
    var mayPass: Bool {
        switch self {
        case .unreadable, .changedWhileRead, .decoderCrashed, .decoderTimeout, .badReply, .outputExists: true
        default: false
        }
    }
}
