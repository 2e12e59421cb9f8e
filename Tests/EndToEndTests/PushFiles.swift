import Foundation
import Vips

/// The files of one push, and what is to be seen of its outcome.
struct PushFiles {
    var files: [String: [UInt8]]

    /// A `push.json` with the order of the attachments.
    static func order(_ names: String...) -> [UInt8] {
        Array("{\"order\":[\(names.map { "\"\($0)\"" }.joined(separator: ","))],\"alert\":\"Hello\"}".utf8)
    }

    /// Writes them below a directory of the scratch.
    func write(to path: String, in scratch: Scratch) throws {
        for (name, bytes) in files { try scratch.write(bytes, to: "\(path)/\(name)") }
    }

    /// Renames them into the inbox, as a whole.
    func put(_ name: String, in scratch: Scratch) throws {
        try write(to: "staged-push", in: scratch)
        try FileManager.default.moveItem(
            at: scratch.url.appending(path: "staged-push"),
            to: scratch.url.appending(path: "root/inbox").appending(path: name))
    }
}

/// What a manifest says of the attachments of a push.
struct PushOutcome {
    let manifest: [String: Any]

    var status: String? { manifest["status"] as? String }
    var attachments: [[String: Any]] { manifest["attachments"] as? [[String: Any]] ?? [] }
    var names: [String] { attachments.compactMap { $0["name"] as? String } }
    var statuses: [String] { attachments.compactMap { $0["status"] as? String } }
    var outputs: [[String: Any]] { attachments.compactMap { $0["output"] as? [String: Any] } }
    var paths: [String] { outputs.compactMap { $0["path"] as? String } }
    var code: String? { (manifest["rejection"] as? [String: Any])?["code"] as? String }
    var message: String { (manifest["rejection"] as? [String: Any])?["message"] as? String ?? "" }

    /// A figure of `group_memory`, in bytes.
    func memory(_ key: String) -> Int? { (manifest["group_memory"] as? [String: Any])?[key] as? Int }
}

/// What a phone needs for a JPEG, in bytes, from a decoder of its own: four bytes a pixel, rows in steps of 64 bytes,
/// pages of 16 KiB.
func residentBytes(of jpeg: [UInt8]) throws -> Int {
    try jpeg.withUnsafeBytes { bytes in
        let image = try VipsImage.load(.jpeg, bytes)
        let row = (image.width * 4 + 63) / 64 * 64
        return (row * image.height + 16_383) / 16_384 * 16_384
    }
}
