import CVips
import JobProtocol
import Scenes
import Testing
import Vips

@testable import MediaPipeline

/// What libvips and GLib say beside their results. In processes of their own: the texts of all threads are one list.
@Suite struct RemarksTests {
    @Test("warnings and worse are kept, with who said them; the rest is not")
    func levels() async {
        await #expect(processExitsWith: .success) {
            try Vips.start()
            #expect(Vips.takeWarnings(atMost: 10, longest: 100) == [])
            for level in [G_LOG_LEVEL_DEBUG, G_LOG_LEVEL_INFO, G_LOG_LEVEL_MESSAGE] {
                RemarksTests.say("nothing", level)
            }
            RemarksTests.say("odd", G_LOG_LEVEL_WARNING)
            RemarksTests.say("wrong", G_LOG_LEVEL_CRITICAL)
            RemarksTests.say("by nobody", G_LOG_LEVEL_WARNING, domain: nil)
            #expect(Vips.takeWarnings(atMost: 10, longest: 100) == ["VIPS: odd", "VIPS: wrong", "by nobody"])
            #expect(Vips.takeWarnings(atMost: 10, longest: 100) == [], "they are taken once")
        }
    }

    @Test("a picture that causes thousands costs a handful; the first ones tell")
    func count() async {
        await #expect(processExitsWith: .success) {
            try Vips.start()
            for number in 0..<5_000 { RemarksTests.say("\(number)", G_LOG_LEVEL_WARNING) }
            #expect(Vips.takeWarnings(atMost: 3, longest: 100) == ["VIPS: 0", "VIPS: 1", "VIPS: 2"])
            #expect(Vips.takeWarnings(atMost: 3, longest: 100) == [], "those that were dropped do not come later")
            for number in 0..<5_000 { RemarksTests.say("\(number)", G_LOG_LEVEL_WARNING) }
            #expect(Vips.takeWarnings(atMost: 5_000, longest: 100).count <= 16)
            RemarksTests.say("again", G_LOG_LEVEL_WARNING)
            #expect(MediaPipeline.takeRemarks() == ["VIPS: again"])
        }
    }

    @Test("a text is cut between two characters, and never longer than it may be")
    func length() async {
        await #expect(processExitsWith: .success) {
            try Vips.start()
            for character in ["x", "é", "日", "🏔"] {
                for offset in 0..<4 {
                    let text = String(repeating: "-", count: offset) + String(repeating: character, count: 300)
                    RemarksTests.say(text, G_LOG_LEVEL_WARNING, domain: nil)
                    let taken = try #require(Vips.takeWarnings(atMost: 1, longest: 200).first)
                    #expect((195...200).contains(taken.utf8.count))
                    let whole =
                        taken.unicodeScalars.last == "\u{FFFD}" ? String(taken.unicodeScalars.dropLast()) : taken
                    #expect(text.unicodeScalars.starts(with: whole.unicodeScalars))
                }
            }
            let fits = String(repeating: "é", count: 100)
            RemarksTests.say(fits, G_LOG_LEVEL_WARNING, domain: nil)
            #expect(Vips.takeWarnings(atMost: 1, longest: 200) == [fits])
        }
    }

    @Test("what a worker remarks is what its supervisor lets pass, whatever is said")
    func accepted() async {
        await #expect(processExitsWith: .success) {
            try Vips.start()
            let bytes: [UInt8] = (0..<400).map { UInt8($0 % 255 + 1) }
            for _ in 0..<100 {
                RemarksTests.say(bytes, G_LOG_LEVEL_WARNING)
            }
            let remarks = MediaPipeline.takeRemarks()
            #expect(remarks.count == JobReply.mostRemarks)
            #expect(remarks.allSatisfy { $0.utf8.count <= JobReply.longestRemark })
        }
    }

    @Test("a real picture: what libvips says of an AVIF's colours does not end it")
    func picture() async {
        await #expect(processExitsWith: .success) {
            try Vips.start()
            guard let bytes = try? Scene(width: 64, height: 48, seed: 1).file(SceneFile(.avif())) else {
                print("skipped: this libvips does not encode AVIF")
                return
            }
            _ = Vips.takeWarnings(atMost: 16, longest: 200)
            try bytes.withUnsafeBytes { bytes in
                _ = try Picture(VipsImage.load(.heif, bytes))
            }
            let warnings = Vips.takeWarnings(atMost: 16, longest: 200)
            #expect(warnings.allSatisfy { $0.hasPrefix("VIPS: ") })
            if Vips.version.hasPrefix("8.14.") {
                #expect(Set(warnings) == ["VIPS: heifload: ignoring nclx profile"])
            }
        }
    }

    /// g_log(3), without its format.
    static func say(_ text: String, _ level: GLogLevelFlags, domain: String? = "VIPS") {
        withVaList([]) { g_logv(domain, level, text, $0) }
    }

    static func say(_ bytes: [UInt8], _ level: GLogLevelFlags) {
        let text = bytes.filter { $0 != UInt8(ascii: "%") }.map { CChar(bitPattern: $0) } + [0]
        text.withUnsafeBufferPointer { text in
            withVaList([]) { g_logv("VIPS", level, text.baseAddress, $0) }
        }
    }
}
