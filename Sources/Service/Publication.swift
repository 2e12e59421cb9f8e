internal import AttachmentRules
internal import Kernel

/// Puts outcomes in place: the picture first, then the manifest that says it is there.
struct Publication: Sendable {
    let output: OutputTree
    /// The manifest that each result of this batch belongs to, by the result's path.
    private let owners: [FilePath: FilePath]

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
        try picture.withBytes { (bytes) throws(BatchFailure) in
            try output.write(bytes, to: item.result, in: target)
        }
        try output.write(ManifestCoding.document(manifest).span, to: item.manifest, in: target)
        try clearAway(earlier, of: item, keeping: item.result)
    }

    /// Records a refusal. What an earlier run published for this source is no longer its outcome and is removed.
    func reject(_ manifest: Manifest, for item: BatchItem) throws(BatchFailure) {
        let earlier = output.manifest(item.manifest, in: item.file.target)
        try output.write(ManifestCoding.document(manifest).span, to: item.manifest, in: item.file.target)
        try clearAway(earlier, of: item, keeping: nil)
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
                "\(item.result.escapedForTerminal) is there already and was not made by mediaprep; move it away or "
                    + "choose another output")
        }
    }

    private func clearAway(
        _ earlier: Manifest?, of item: BatchItem, keeping result: FilePath?
    ) throws(BatchFailure) {
        guard let old = earlier?.output, let file = old.file else { return }
        let name = FilePath(file)
        let target = item.file.target
        guard name != result, owners[target.appending(name), default: item.manifest] == item.manifest,
            holds(old, at: name, in: target)
        else { return }
        try output.remove(name, in: target)
    }

    private func holds(_ picture: Manifest.Output, at name: FilePath, in target: FilePath) -> Bool {
        guard let bytes = picture.bytes, let contents = output.contents(name, in: target, atMost: bytes) else {
            return false
        }
        return Digest.hex(contents.span) == picture.sha256
    }
}
