import AttachmentRules
import Foundation
import MediaProbe
import Testing

/// The public corpus next to the repository, when it is there.
@Suite struct CorpusTests {
    static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "shared/corpus")
    static let isThere = FileManager.default.fileExists(atPath: folder.appending(path: "MANIFEST.tsv").path)

    /// Whole by their structure; only a decoder finds that the coded data is damaged.
    static let decidedByTheDecoder: Set = [
        "corrupt/heif__clusterfuzz-testcase-minimized-file-fuzzer-5671864958976000.heic",
        "corrupt/heif__clusterfuzz-testcase-minimized-file-fuzzer-5752063708495872.heic",
    ]

    /// Good pictures of a coding in which damage cannot be told.
    static let refusedOnPurpose: Set = ["jpeg_odd/ljt__testimgari.jpg"]

    static let pictureFolders: Set = ["photos", "jpeg_odd", "png", "gif", "webp", "heic_avif", "tiff", "extreme"]

    struct Row {
        let path: String
        let verdict: String
    }

    static func rows() throws -> [Row] {
        let text = try String(contentsOf: folder.appending(path: "MANIFEST.tsv"), encoding: .utf8)
        let lines = text.split(separator: "\n").map { $0.split(separator: "\t", omittingEmptySubsequences: false) }
        let verdict = try #require(lines.first?.firstIndex(of: "verdict"))
        return lines.dropFirst().map { Row(path: String($0[0]), verdict: String($0[verdict])) }
    }

    @Test(.enabled(if: isThere, "the corpus is not next to the repository")) func verdicts() throws {
        let rows = try Self.rows()
        #expect(rows.count > 200)
        for row in rows {
            let bytes = [UInt8](try Data(contentsOf: Self.folder.appending(path: row.path)))
            let code = refusal(bytes)
            let isPicture = Self.pictureFolders.contains(String(row.path.prefix { $0 != "/" }))
            switch row.verdict {
            case "refuse" where Self.decidedByTheDecoder.contains(row.path): #expect(code == nil, "\(row.path)")
            case "refuse": #expect(code != nil, "\(row.path)")
            case "accept" where Self.refusedOnPurpose.contains(row.path):
                #expect(code == .unsupportedCoding, "\(row.path)")
            case "accept" where isPicture: #expect(code == nil, "\(row.path)")
            default: break
            }
        }
    }
}
