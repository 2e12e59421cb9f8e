import Foundation

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

    /// A file that has no name any more.
    static func anonymousFile() throws -> FileHandle {
        let url = FileManager.default.temporaryDirectory.appending(path: "mediaprep-\(UUID().uuidString)")
        try Data().write(to: url)
        defer { try? FileManager.default.removeItem(at: url) }
        return try FileHandle(forUpdating: url)
    }

    /// Writes a file, with the directories that lead to it.
    func write(_ bytes: [UInt8], to path: String) throws {
        let file = url.appending(path: path)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(bytes).write(to: file)
    }

    func bytes(_ path: String) -> [UInt8]? {
        (try? Data(contentsOf: url.appending(path: path))).map { Array($0) }
    }

    func manifest(_ path: String) -> [String: Any]? {
        guard let bytes = bytes(path) else { return nil }
        return (try? JSONSerialization.jsonObject(with: Data(bytes))) as? [String: Any]
    }

    /// Every file below a directory, by its path there, in order.
    func files(below path: String) -> [String] {
        (FileManager.default.subpaths(atPath: url.appending(path: path).path) ?? []).filter { name in
            var isDirectory: ObjCBool = false
            let whole = url.appending(path: path).appending(path: name).path
            return FileManager.default.fileExists(atPath: whole, isDirectory: &isDirectory) && !isDirectory.boolValue
        }.sorted()
    }
}
