public import Kernel

/// Where a spool's directories lie.
public struct SpoolPlaces: Equatable, Sendable {
    /// Holds `work`, `rejected`, `done`, `lock` and `state.json`, and the next two unless they are elsewhere.
    public var root: FilePath
    /// Where producers put files.
    public var inbox: FilePath
    /// Where manifests and `media` are published.
    public var outbox: FilePath

    /// - Parameters:
    ///   - inbox: nil for `inbox` in the root.
    ///   - outbox: nil for `outbox` in the root.
    public init(root: FilePath, inbox: FilePath? = nil, outbox: FilePath? = nil) {
        self.root = root
        self.inbox = inbox ?? root.appending("inbox")
        self.outbox = outbox ?? root.appending("outbox")
    }
}
