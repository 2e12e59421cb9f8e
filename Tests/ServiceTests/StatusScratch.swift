import Configuration
import Foundation
import Kernel

/// A root of a service, made by hand and gone at the end of the test.
final class StatusScratch {
    let url: URL

    init(_ directories: String...) throws {
        url = FileManager.default.temporaryDirectory.appending(path: "mediaprep-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        for directory in directories {
            try FileManager.default.createDirectory(
                at: url.appending(path: directory), withIntermediateDirectories: true)
        }
    }

    deinit {
        try? FileManager.default.removeItem(at: url)
    }

    var settings: ServeSettings {
        var settings = ServeSettings()
        settings.root = FilePath(url.path)
        return settings
    }

    func root() throws -> FileDescriptor {
        try FileDescriptor.open(FilePath(url.path), flags: .directory)
    }

    /// - Parameter modified: seconds since 1970.
    func write(_ text: String = "", to path: String, modified: Int? = nil) throws {
        let file = url.appending(path: path)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file)
        if let modified {
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSince1970: Double(modified))], ofItemAtPath: file.path)
        }
    }
}
