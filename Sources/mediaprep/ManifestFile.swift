internal import AttachmentRules
internal import Kernel
internal import Service

/// Manifests of a command line.
enum ManifestFile {
    /// Of a group of many files.
    private static let mostBytes = 16 << 20

    static func read(_ path: FilePath) throws(UsageError) -> Manifest {
        guard let manifest = ManifestCoding.read(try SmallFile.read(path, mostBytes: mostBytes)) else {
            throw UsageError(message: "\(path.escapedForTerminal) is no manifest of mediaprep")
        }
        return manifest
    }
}
