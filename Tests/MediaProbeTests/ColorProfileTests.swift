import Scenes
import Testing
import Vips

@testable import MediaProbe

@Suite struct ColorProfileTests {
    @Test func readsWhatDecides() throws {
        let profile = try #require(ColorProfile(MatrixProfile.wide.bytes))
        #expect(profile.description == "Wide test RGB")
        #expect(profile.space == .rgb)
        #expect(!profile.isSRGB)
    }

    @Test func longNamesAreCut() throws {
        var profile = MatrixProfile.wide
        profile.name = String(repeating: "n", count: 300)
        #expect(ColorProfile(profile.bytes)?.description?.count == 80)
    }

    /// A gamma of 2.2 is not sRGB's curve: dark tones would be off by up to 6 of 255.
    @Test func sRGBIsRecognisedByItsNumbers() throws {
        var plain = MatrixProfile.wide
        plain.primaries = [[0.4361, 0.2225, 0.0139], [0.3851, 0.7169, 0.0971], [0.1431, 0.0606, 0.7141]]
        #expect(ColorProfile(plain.bytes)?.isSRGB == false)

        try Vips.start()
        let srgb = try Scene(width: 8, height: 8).image().converted(toBuiltIn: "srgb")
        let embedded = try #require(srgb.blob("icc-profile-data"))
        let profile = try #require(ColorProfile(embedded))
        #expect(profile.isSRGB)
        let p3 = try Scene(width: 8, height: 8).image().converted(toBuiltIn: "p3")
        #expect(try ColorProfile(#require(p3.blob("icc-profile-data")))?.isSRGB == false)
    }

    @Test func noByteCanMakeTheReaderLeaveTheProfile() {
        let whole = MatrixProfile.wide.bytes
        for length in 0..<whole.count {
            _ = ColorProfile(Array(whole.prefix(length)))
        }
        for index in whole.indices {
            for value: UInt8 in [0, 0x7F, 0x80, 0xFF] {
                var damaged = whole
                damaged[index] = value
                _ = ColorProfile(damaged)
            }
        }
    }
}
