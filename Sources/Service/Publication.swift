internal import AttachmentRules
internal import Kernel
internal import Synchronization

/// Puts outcomes in place: the picture first, then the manifest that says it is there.
final class Publication: Sendable {
    let output: OutputTree
    /// The manifest that each result of this batch belongs to, by the result's path.
    private let owners: [FilePath: FilePath]
    /// The results that this batch has begun to write.
    private let begun = Mutex<Set<FilePath>>([])

    init(_ output: OutputTree, items: [BatchItem]) {
        self.output = output
        owners = Dictionary(uniqueKeysWithValues: items.map { ($0.file.target.appending($0.result), $0.manifest) })
    }

    /// The manifest of an earlier run, if it published the same bytes with the same recipe under the same name and the
    /// result is still what it was.
    func unchanged(_ item: BatchItem, sha256: String, recipe: String) throws -> Manifest? {
        guard let earlier = try output.manifest(item.manifest, in: item.file.target), earlier.status == .published,
            earlier.source.sha256 == sha256, earlier.recipe == recipe, let result = earlier.output,
            result.file == item.result.display, holds(result, at: item.result, in: item.file.target)
        else { return nil }
        return earlier
    }

    /// - Throws: `Rejection` when one of the two names is taken by something that mediaprep did not make.
    func publish(_ picture: borrowing SealedFile, _ manifest: Manifest, for item: BatchItem) throws {
        let target = item.file.target
        let earlier = try output.manifest(item.manifest, in: target)
        try checkOwnership(of: item, digest: manifest.output?.sha256, earlier: earlier)
        begun.withLock { _ = $0.insert(target.appending(item.result)) }
        let pending = OutputNames.pending(item.manifest)
        try output.write(ManifestCoding.document(manifest).span, to: pending, in: target)
        do {
            try picture.withBytes { bytes in try output.write(bytes, to: item.result, in: target) }
        } catch {
            // The first error is the one to tell.
            try? output.remove(pending, in: target)
            throw error
        }
        // From here on the pending manifest stays, whatever happens: it says whose the picture is.
        try clearAway(earlier, of: item, keeping: item.result)
        try output.rename(pending, to: item.manifest, in: target)
    }

    /// Records a refusal. What an earlier run published for this source is then no longer its outcome and is removed,
    /// unless the refusal may be gone the next time and says nothing against that result.
    func reject(_ manifest: Manifest, for item: BatchItem) throws {
        let earlier = try output.manifest(item.manifest, in: item.file.target)
        if let earlier, earlier.status == .published, manifest.rejection?.code.mayPass == true,
            manifest.source.sha256 == nil || manifest.source.sha256 == earlier.source.sha256
        {
            return
        }
        try clearAway(earlier, of: item, keeping: nil)
        // What a run left that was killed before its manifest had its name.
        let pending = OutputNames.pending(item.manifest)
        if let left = try output.manifest(pending, in: item.file.target) {
            try clearAway(left, of: item, keeping: nil)
            try output.remove(pending, in: item.file.target)
        }
        try output.write(ManifestCoding.document(manifest).span, to: item.manifest, in: item.file.target)
    }

    private func checkOwnership(of item: BatchItem, digest: String?, earlier: Manifest?) throws {
        let target = item.file.target
        guard try output.exists(item.result, in: target), earlier?.output?.file != item.result.display else { return }
        // Nothing is lost with the same bytes, nor with an empty file, which a power cut can leave of a picture.
        let contents = output.contents(item.result, in: target, atMost: 1 << 24)
        if let contents, contents.isEmpty || Digest.hex(contents.span) == digest { return }
        guard output.isNamedByManifest(item.result, in: target) else { throw output.taken(item.result) }
    }

    // Before the new manifest, so that there is always one that names the file: a name that another source of this batch
    // takes over is found either named or gone, never without an owner.
    private func clearAway(
        _ earlier: Manifest?, of item: BatchItem, keeping result: FilePath?
    ) throws(BatchFailure) {
        guard let old = earlier?.output, let file = old.file else { return }
        let name = FilePath(file)
        let target = item.file.target
        let path = target.appending(name)
        try begun.withLock { (begun) throws(BatchFailure) in
            let isTakenOver = owners[path, default: item.manifest] != item.manifest && begun.contains(path)
            guard name != result, !isTakenOver, holds(old, at: name, in: target) else { return }
            try output.remove(name, in: target)
        }
    }

    private func holds(_ picture: Manifest.Output, at name: FilePath, in target: FilePath) -> Bool {
        guard let bytes = picture.bytes, let contents = output.contents(name, in: target, atMost: bytes) else {
            return false
        }
        return Digest.hex(contents.span) == picture.sha256
    }
}

extension Rejection.Code {
    /// True where the same file may be accepted the next time.
    fileprivate var mayPass: Bool {
        switch self {
        case .unreadable, .changedWhileRead, .decoderCrashed, .decoderTimeout, .badReply, .outputExists: true
        default: false
        }
    }
}
