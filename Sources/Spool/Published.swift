import Hashing
public import Kernel

/// What is published already.
extension Spool {
    /// Lets the manifest of a claim's outcome be found by `key` from now on: whoever uploads the same again need not
    /// wait for a decoder. A hint: errors mean that it will not be found.
    ///
    /// - Parameter key: of at least two bytes, without a slash; its first two bytes are a directory's name.
    public func remember(manifestOf claim: borrowing Claim, as key: String) {
        guard let folder = Self.indexFolder(of: key), let outbox = try? open(places.outbox),
            let temporary = try? openOutbox(outbox, OutboxPart.temporary.name),
            let directory = try? openOutbox(outbox, folder)
        else { return }
        let temporaryName = ids.next().name
        let manifest = outcomeName(for: claim.name)
        guard (try? FileDescriptor.link(manifest, in: outbox, to: temporaryName, in: temporary)) != nil else { return }
        try? FileDescriptor.rename(
            temporaryName, in: temporary, to: FilePath(key), in: directory, ifTaken: .replace)
        // A rename onto another name of the same file does nothing.
        try? FileDescriptor.unlink(temporaryName, relativeTo: temporary)
    }

    /// The manifest that was remembered as `key`; nil when there is none.
    ///
    /// It may be of another upload of the same name, or torn by a power cut: whoever uses it looks whose it is.
    public func remembered(_ key: String) -> [UInt8]? {
        guard let folder = Self.indexFolder(of: key) else { return nil }
        return contents(folder.appending(FilePath(key)), atMost: Self.longestManifest)
    }

    /// Whether media that a manifest names are there, byte for byte.
    ///
    /// - Parameters:
    ///   - path: below the outbox, as `publish` gave it.
    ///   - digest: SHA-256 in lower-case hexadecimal.
    ///   - bytes: the size.
    public func holds(media path: FilePath, digest: String, bytes: Int) -> Bool {
        guard path.components.first == OutboxPart.media.name, bytes >= 0 else { return false }
        guard let contents = contents(path, atMost: bytes), contents.count == bytes else { return false }
        return Digest.hex(contents.span) == digest
    }

    /// The manifest that stands for an inbox name; nil when there is none.
    public func standing(manifestFor name: FilePath) -> [UInt8]? {
        contents(outcomeName(for: name), atMost: Self.longestManifest)
    }

    private func contents(_ path: FilePath, atMost limit: Int) -> [UInt8]? {
        guard let outbox = try? open(places.outbox) else { return nil }
        return try? FileDescriptor.contentsBeneath(path, relativeTo: outbox, maximumBytes: limit)
    }

    private static func indexFolder(of key: String) -> FilePath? {
        let name = FilePath(key)
        guard name.isEntryName, name.bytes.count >= 2 else { return nil }
        let folder = FilePath(bytes: name.bytes.prefix(2))
        return folder.isEntryName ? OutboxPart.index.name.appending(folder) : nil
    }

    /// In bytes.
    static let longestManifest = 1 << 20
}
