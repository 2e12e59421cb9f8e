import Foundation
import Kernel

/// A directory of its own for one test, gone at the end of the test.
final class Scratch {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appending(path: "mediaprep-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(at: url)
    }

    /// Writes the key file `conf`.
    func file(_ bytes: [UInt8]) throws -> FilePath {
        let file = url.appending(path: "conf")
        try Data(bytes).write(to: file)
        return FilePath(file.path)
    }

    func file(_ text: String) throws -> FilePath {
        try file(Array(text.utf8))
    }
}
