import AttachmentRules
import MediaProbe
import Scenes
import Testing

@testable import MediaPipeline

/// Headers that libjpeg warns of although it ignores what is wrong with them: the picture is good and is published.
@Suite struct MendedHeaderTests {
    static let whole: Result<[UInt8], any Error> = Result {
        try Scene(width: 200, height: 150, seed: 2).file(SceneFile(.jpeg()))
    }

    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        let change: @Sendable (inout [UInt8]) throws -> Void
        var testDescription: String { name }
    }

    static let cases = [
        Case(name: "nothing", change: { _ in }),
        Case(
            name: "scan without a last coefficient, as some phones write",
            change: { bytes in
                let scan = try #require(find(bytes, 0xDA))
                let end = scan + 2 + Int(bytes[scan + 2]) << 8 + Int(bytes[scan + 3])
                bytes[end - 2] = 0
            }),
        Case(
            name: "JFIF version 2",
            change: { bytes in
                let jfif: [UInt8] = [0xFF, 0xE0, 0, 16] + Array("JFIF".utf8) + [0, 2, 1, 0, 0, 1, 0, 1, 0, 0]
                bytes.insert(contentsOf: jfif, at: 2)
            }),
        Case(
            name: "Adobe transform 9",
            change: { bytes in
                bytes.insert(contentsOf: [0xFF, 0xEE, 0, 14] + Array("Adobe".utf8) + [0, 100, 0, 0, 0, 0, 9], at: 2)
            }),
    ]

    @Test(arguments: cases)
    func harmlessHeadersAreMended(_ test: Case) throws {
        let whole = try Self.whole.get()
        let reference = try make(whole, facts(.jpeg, 200, 150))
        var changed = whole
        try test.change(&changed)
        let made = try make(handedOver(changed), facts(.jpeg, 200, 150))
        #expect(made.picture.difference(to: reference.picture) == 0)
    }

    /// The transform stands before the frame header that says how many components it is for.
    @Test(arguments: [false, true], [1, 5] as [UInt8])
    func fourComponentsOfAnUnknownTransformAreYCCK(_ progressive: Bool, _ transform: UInt8) throws {
        var file = SceneFile(.jpeg(progressive: progressive))
        file.colors = .cmyk
        var bytes = try Scene(width: 200, height: 150, seed: 2).file(file)
        let adobe = try #require(Self.find(bytes, 0xEE))
        let place = adobe + 4 + 11
        bytes[place] = 2
        let reference = try make(bytes, facts(.jpeg, 200, 150))
        bytes[place] = transform
        #expect(try make(handedOver(bytes), facts(.jpeg, 200, 150)).picture.difference(to: reference.picture) == 0)
    }

    @Test func damageIsStillRefusedBehindAMendedHeader() throws {
        var cut = try Array(Self.whole.get().prefix(6_000))
        try Self.cases[1].change(&cut)
        cut += [0xFF, 0xD9]
        #expect(try refusal(handedOver(cut), facts(.jpeg, 200, 150))?.code == .decodeFailed)
    }

    private static func find(_ bytes: [UInt8], _ marker: UInt8) -> Int? {
        bytes.indices.first { bytes[$0...].starts(with: [0xFF, marker]) }
    }
}
