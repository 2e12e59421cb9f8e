internal import AttachmentRules
internal import Hashing
internal import Kernel

/// Media as manifests and an outbox tell of them.
struct OutboxMedia {
    private let manifests: [Manifest]
    private let outbox: FilePath?

    /// The largest that is published.
    private static let mostBytes = MediaType.Family.movie.mostBytes

    /// - Returns: nil where there is nothing to hold media against.
    init?(outbox: FilePath?, manifests: [Manifest]) throws(UsageError) {
        guard outbox != nil || !manifests.isEmpty else { return nil }
        self.manifests = manifests
        self.outbox = outbox
        guard let outbox else { return }
        do throws(Errno) {
            _ = try FileDescriptor.open(outbox, flags: .directory)
        } catch {
            throw UsageError(message: "cannot read \(outbox.escapedForTerminal): \(error)")
        }
    }

    /// The media of the manifests, or those of the outbox that the URLs name, as they lie there.
    func published(for urls: [String]) -> [PublishedMedia] {
        guard manifests.isEmpty else {
            return manifests.flatMap(PublishedMedia.list).map { media in
                var media = media
                media.now = state(of: media)
                return media
            }
        }
        return urls.compactMap { url in
            guard var media = PublishedMedia(contentAddressedBy: url) else { return nil }
            media.now = state(of: media)
            // Without a manifest, only a file that lies there was ever published.
            return media.now == .missing ? nil : media
        }
    }

    private func state(of media: PublishedMedia) -> PublishedMedia.State? {
        guard let outbox, let path = media.path else { return nil }
        do throws(Errno) {
            let directory = try FileDescriptor.open(outbox, flags: .directory)
            let contents = try FileDescriptor.contentsBeneath(
                FilePath(path), relativeTo: directory, maximumBytes: Self.mostBytes)
            return present(contents)
        } catch {
            return .missing
        }
    }

    // Apart, because a span within a typed catch crashes the compiler (Swift 6.3.1).
    private func present(_ contents: [UInt8]) -> PublishedMedia.State {
        .present(bytes: contents.count, sha256: Digest.hex(contents.span))
    }
}
