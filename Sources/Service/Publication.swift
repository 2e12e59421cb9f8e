internal import AttachmentRules
internal import Hashing
internal import Kernel
internal import Synchronization

/// Puts outcomes in place: the results first, then the manifest that says they are there.
final class Publication: Sendable {
    private let output: OutputTree
    /// The manifest that each name of this batch belongs to, by what stands for it (`ResultName.claims`).
    private let owners: [FilePath: FilePath]
    /// The paths of this batch's manifests, pending ones too.
    private let manifests: Set<FilePath>
    /// The results that this batch has begun to write.
    private let begun = Mutex<Set<FilePath>>([])

    init(_ output: OutputTree, items: [BatchItem]) throws(BatchFailure) {
        self.output = output
        owners = Dictionary(
            uniqueKeysWithValues: items.flatMap { item in
                (item.names.picture.claims + OutputNames.clipClaims(item.file.name, stem: item.names.clipStem)).map {
                    (item.file.target.appending($0), item.manifest)
                }
            })
        manifests = Set(
            items.flatMap { item in
                [item.manifest, OutputNames.pending(item.manifest)].map { item.file.target.appending($0) }
            })
        for target in Set(items.map(\.file.target)) { try output.sweep(target) }
    }

    /// The manifest of an earlier run, if it published the same bytes with the same recipe, the results are still what
    /// they were, and no run was ended in the middle of replacing them.
    func unchanged(_ item: BatchItem, sha256: String, recipe: String) throws -> Manifest? {
        let target = item.file.target
        guard let earlier = try output.manifest(item.manifest, in: target), earlier.status == .published,
            earlier.source.sha256 == sha256, earlier.recipe == recipe, !earlier.outputs.isEmpty,
            earlier.outputs.allSatisfy({ result in
                kept(result, of: item).map { holds(result, at: $0.name, in: target) } ?? false
            }),
            try output.status(of: OutputNames.pending(item.manifest), in: target) == nil
        else { return nil }
        return earlier
    }

    /// Puts results and their manifest in place. Each keeps the name that it has from an earlier run, as long as no other
    /// source of this batch is to have that; else it gets the one that was planned.
    ///
    /// - Parameters:
    ///   - results: the main one, and a film's still picture.
    ///   - describe: gives the manifest of the results under these names.
    /// - Returns: the manifest.
    /// - Throws: `Rejection` when one of the names is taken by something that mediaprep did not make, or that is the
    ///   result of a source outside of this batch.
    func publish(
        _ results: [ResultFile], for item: BatchItem, _ describe: ([FilePath]) throws(Rejection) -> Manifest
    ) throws -> Manifest {
        let target = item.file.target
        let earlier = try output.manifest(item.manifest, in: target)
        let standing = [earlier?.output, earlier?.poster]
        let names = zip(results, standing).map { result, earlier in
            (kept(earlier, of: item, result.fileExtension) ?? item.names.result(result.fileExtension)).name
        }
        let manifest = try describe(names)
        for (name, result) in zip(names, results) {
            try checkOwnership(of: name, for: item, digest: result.digest, earlier: earlier)
        }
        begun.withLock { $0.formUnion(names.map { target.appending($0) }) }
        let pending = OutputNames.pending(item.manifest)
        try output.write(ManifestCoding.document(manifest).span, to: pending, in: target)
        do {
            for (name, result) in zip(names, results) {
                try result.file.withBytes { bytes in try output.write(bytes, to: name, in: target) }
            }
        } catch {
            // The first error is the one to tell.
            try? output.remove(pending, in: target)
            throw error
        }
        // From here on the pending manifest stays, whatever happens: it says whose the results are.
        try clearAway(earlier, of: item, keeping: names)
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
        try clearAway(earlier, of: item, keeping: [])
        // What a run left that was killed before its manifest had its name.
        if let left {
            try clearAway(left, of: item, keeping: [])
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
        if earlier?.names(name) == true { return }
        // Nothing is lost with the same bytes, nor with an empty file, which a power cut can leave of a result.
        let contents = output.contents(name, in: target, atMost: Self.longestResult)
        if let contents, contents.isEmpty || Digest.hex(contents.span) == digest { return }
        // Another source of this batch hands it over, or a run was ended in the middle. What a source outside of this
        // batch has as its intact result stays.
        let namers = output.manifests(naming: name, in: target)
        let isFree = namers.allSatisfy { manifest, claim in
            manifests.contains(target.appending(manifest))
                || !claim.outputs.contains { $0.names(name) && holds($0, at: name, in: target) }
        }
        guard !namers.isEmpty, isFree else { throw output.taken(name) }
    }

    /// In bytes; the longest film is shorter.
    private static let longestResult = 64 << 20

    /// The name that an earlier result has, if this source may go on using it.
    ///
    /// - Parameter fileExtension: that it has to have; any, if nil.
    private func kept(_ earlier: Manifest.Output?, of item: BatchItem, _ fileExtension: String? = nil) -> ResultName? {
        guard let earlier, fileExtension == nil || fileExtension == earlier.fileExtension,
            let name = name(of: earlier, of: item)
        else { return nil }
        return owner(of: name, besides: item) == item.manifest ? name : nil
    }

    private func owner(of name: ResultName, besides item: BatchItem) -> FilePath {
        name.claims.lazy.compactMap { self.owners[item.file.target.appending($0)] }.first ?? item.manifest
    }

    // A manifest escapes what is not UTF-8, so a name is not read from it but found again among those that it can be.
    private func name(of result: Manifest.Output, of item: BatchItem) -> ResultName? {
        OutputNames.candidates(for: item.file.name, fileExtension: result.fileExtension).first { result.names($0.name) }
    }

    // Before the new manifest, so that there is always one that names the file: a name that another source of this batch
    // takes over is found either named or gone, never without an owner.
    private func clearAway(
        _ earlier: Manifest?, of item: BatchItem, keeping names: [FilePath]
    ) throws(BatchFailure) {
        for result in earlier?.outputs ?? [] {
            guard let name = name(of: result, of: item), !names.contains(name.name) else { continue }
            try clearAway(result, at: name, of: item)
        }
    }

    private func clearAway(
        _ result: Manifest.Output, at name: ResultName, of item: BatchItem
    ) throws(BatchFailure) {
        let target = item.file.target
        try begun.withLock { (begun) throws(BatchFailure) in
            let isTakenOver =
                owner(of: name, besides: item) != item.manifest && begun.contains(target.appending(name.name))
            guard !isTakenOver, holds(result, at: name.name, in: target),
                let standing = try output.status(of: name.name, in: target), !isSource(standing, of: item)
            else { return }
            try output.remove(name.name, in: target)
        }
    }

    // A source may lie in the output; its own outcome neither replaces nor removes it.
    private func isSource(_ standing: FileStatus, of item: BatchItem) -> Bool {
        (try? FileDescriptor.status(of: item.file.givenPath))?.isSameFile(as: standing) ?? false
    }

    private func holds(_ result: Manifest.Output, at name: FilePath, in target: FilePath) -> Bool {
        guard let bytes = result.bytes, let contents = output.contents(name, in: target, atMost: bytes) else {
            return false
        }
        return Digest.hex(contents.span) == result.sha256
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
