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
    func unchanged(_ item: BatchItem, sha256: String, recipe: String) -> Manifest? {
        guard let earlier = output.manifest(item.manifest, in: item.file.target), earlier.status == .published,
            earlier.source.sha256 == sha256, earlier.recipe == recipe, let result = earlier.output,
            result.file == item.result.display, holds(result, at: item.result, in: item.file.target)
        else { return nil }
        return earlier
    }

    /// - Throws: `Rejection` when the name is taken by a file that no manifest of ours names.
    func publish(_ picture: borrowing SealedFile, _ manifest: Manifest, for item: BatchItem) throws {
        let target = item.file.target
        let earlier = output.manifest(item.manifest, in: target)
        try checkOwnership(of: item, digest: manifest.output?.sha256, earlier: earlier)
        begun.withLock { _ = $0.insert(target.appending(item.result)) }
        try picture.withBytes { (bytes) throws(BatchFailure) in
            try output.write(bytes, to: item.result, in: target)
        }
        try clearAway(earlier, of: item, keeping: item.result)
        try output.write(ManifestCoding.document(manifest).span, to: item.manifest, in: target)
    }

    /// Records a refusal. What an earlier run published for this source is no longer its outcome and is removed.
    func reject(_ manifest: Manifest, for item: BatchItem) throws(BatchFailure) {
        let earlier = output.manifest(item.manifest, in: item.file.target)
        try clearAway(earlier, of: item, keeping: nil)
        try output.write(ManifestCoding.document(manifest).span, to: item.manifest, in: item.file.target)
    }

    private func checkOwnership(of item: BatchItem, digest: String?, earlier: Manifest?) throws(Rejection) {
        let target = item.file.target
        guard output.exists(item.result, in: target), earlier?.output?.file != item.result.display else { return }
        // A run that was killed between picture and manifest left exactly these bytes.
        let contents = output.contents(item.result, in: target, atMost: 1 << 24)
        if let contents, Digest.hex(contents.span) == digest { return }
        guard output.isNamedByManifest(item.result, in: target) else {
            throw Rejection(
                .outputExists, rule: .notAFile, stage: .publish,
                "\(item.result) is there already and was not made by mediaprep; move it away or choose another output.")
        }
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
