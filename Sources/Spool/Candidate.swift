public import Kernel

/// A name in the inbox that is ready to be claimed: renamed in, or closed and left alone for the settle time.
public struct Candidate: Equatable, Sendable {
    public let name: FilePath
    /// What the name stood for when it was found ready.
    public let status: FileStatus

    public init(name: FilePath, status: FileStatus) {
        self.name = name
        self.status = status
    }
}
