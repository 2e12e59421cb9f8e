import AttachmentRules
import JobProtocol
import MediaProbe
import Scenes
import Testing
import Vips

@testable import MediaPipeline

/// Files that end early or are damaged, with facts that pretend that they are whole: the decoder side refuses by itself.
@Suite struct DamageTests {
    static let scene = Scene(width: 320, height: 240, seed: 6, detail: 3)

    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        let type: MediaType
        let format: SceneFile.Format
        var testDescription: String { name }
    }

    static let cases = [
        Case(name: "baseline JPEG", type: .jpeg, format: .jpeg()),
        Case(name: "progressive JPEG", type: .jpeg, format: .jpeg(progressive: true)),
        Case(name: "PNG", type: .png, format: .png()),
        Case(name: "interlaced PNG", type: .png, format: .png(interlaced: true)),
        Case(name: "GIF", type: .gif, format: .gif),
        Case(name: "lossy WebP", type: .webp, format: .webp()),
        Case(name: "lossless WebP", type: .webp, format: .webp(lossless: true)),
        Case(name: "TIFF", type: .tiff, format: .tiff),
        Case(name: "HEIC", type: .heic, format: .heic()),
        Case(name: "AVIF", type: .avif, format: .avif()),
    ]

    @Test(arguments: cases)
    func aFileThatEndsEarlyIsRefused(_ test: Case) throws {
        let whole: [UInt8]
        do {
            whole = try Self.scene.file(SceneFile(test.format))
        } catch {
            withKnownIssue("this libheif cannot encode \(test.name)") { throw error }
            return
        }
        _ = try make(whole, facts(test.type, 320, 240))
        for part in [0.3, 0.5, 0.9] {
            let cut = Array(whole.prefix(Int(Double(whole.count) * part)))
            let rejection = try #require(try refusal(cut, facts(test.type, 320, 240)), "\(part)")
            #expect(rejection.code == .decodeFailed)
            #expect(rejection.rule == .doesNotDecode)
            #expect(rejection.stage == .identify || rejection.stage == .render)
        }
    }

    @Test(arguments: [false, true])
    func anEndMarkerGluedOnHelpsNoJPEG(_ progressive: Bool) throws {
        let whole = try Self.scene.file(SceneFile(.jpeg(progressive: progressive)))
        for part in [0.3, 0.5, 0.9, 0.99] {
            let cut = Array(whole.prefix(Int(Double(whole.count) * part))) + [0xFF, 0xD9]
            #expect(try refusal(cut, facts(.jpeg, 320, 240))?.code == .decodeFailed, "\(part)")
        }
    }

    /// libvips reads eight rows at a time and looks for warnings before each: nothing comes after the last.
    @Test func damageInTheLastRowsIsSeen() throws {
        let whole = try Scene(width: 400, height: 8, seed: 1, detail: 20).file(SceneFile(.jpeg()))
        _ = try make(whole, facts(.jpeg, 400, 8))
        let cut = Array(whole.prefix(whole.count - 200)) + [0xFF, 0xD9]
        #expect(try refusal(cut, facts(.jpeg, 400, 8))?.code == .decodeFailed)
    }

    @Test func aWebPWhoseLengthWasMendedIsRefused() throws {
        let whole = try Self.scene.file(SceneFile(.webp()))
        var cut = Array(whole.prefix(whole.count / 2 / 2 * 2))
        cut.replaceSubrange(4..<8, with: (0..<4).map { UInt8(truncatingIfNeeded: (cut.count - 8) >> ($0 * 8)) })
        #expect(try refusal(cut, facts(.webp, 320, 240))?.code == .decodeFailed)
    }

    @Test func aSizeOtherThanTheProbesIsRefused() throws {
        let whole = try Self.scene.file(SceneFile(.png()))
        let rejection = try refusal(whole, facts(.png, 321, 240))
        #expect(rejection?.stage == .identify)
        #expect(rejection?.code == .decodeFailed)
    }

    @Test(arguments: [MediaType.jpeg, .png, .gif, .webp, .heic, .tiff])
    func otherBytesThanTheTypeSaysAreRefused(_ type: MediaType) throws {
        for bytes in [[], [0], Array("Buy milk.".utf8), [UInt8](repeating: 0xFF, count: 5_000)] {
            #expect(try refusal(bytes, facts(type, 10, 10))?.stage == .identify)
        }
    }

    @Test func aTypeThatIsNoPictureIsRefused() throws {
        #expect(try refusal([1, 2, 3], facts(.pdf, 10, 10))?.code == .typeNotAllowed)
    }

    @Test func aResultThatCannotBeHandedOverIsARefusal() throws {
        struct Full: Error {}
        let whole = try Self.scene.file(SceneFile(.jpeg()))
        let outcome = try outcome(whole, facts(.jpeg, 320, 240)) { _ in throw Full() }
        guard case .refused(let rejection) = outcome else {
            Issue.record("not refused")
            return
        }
        #expect(rejection.stage == .worker)
    }
}
