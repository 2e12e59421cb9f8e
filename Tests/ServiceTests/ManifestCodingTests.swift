import AttachmentRules
import JobProtocol
import Kernel
import MediaProbe
import Testing

@testable import Service

@Suite struct ManifestCodingTests {
    static var published: Manifest {
        var manifest = Manifest(
            name: "IMG.HEIC", status: .rejected, recipe: Recipe().fingerprint, createdAt: "2026-01-01T00:00:00Z",
            source: Manifest.Source(name: "IMG.HEIC", path: "photos/IMG.HEIC"))
        manifest.source.sha256 = String(repeating: "a", count: 64)
        manifest.source.bytes = 2_481_234
        var facts = MediaFacts(mediaType: .heic, width: 4032, height: 3024, colorModel: .ycbcr)
        facts.trailingBytes = 7
        facts.notes = [Note(.trailingBytes, "7 bytes follow the picture")]
        manifest.tell(facts)
        var source = SourceFacts()
        source.orientation = 6
        source.hasGPS = true
        source.colorProfile = "Display P3"
        source.notes = [Note(.trailingBytes, "7 bytes follow the picture")]
        manifest.tell(source)
        manifest.tell(
            Rendition(
                size: PlannedSize(width: 800, height: 600), bytes: 61_234, quality: 80, isProgressive: false,
                attempts: 1, reason: .asAsked, libvips: "8.14.1"),
            at: "album/IMG.jpg", sha256: String(repeating: "b", count: 64), recipe: Recipe())
        return manifest
    }

    @Test("what is written is read back the same")
    func roundTrip() {
        let manifest = Self.published
        #expect(ManifestCoding.read(ManifestCoding.line(manifest)) == manifest)
        #expect(ManifestCoding.read(ManifestCoding.document(manifest)) == manifest)
        var refused = manifest
        refused.rejection = Rejection(.truncated, rule: .doesNotDecode, stage: .probe, "ends too soon")
        #expect(ManifestCoding.read(ManifestCoding.line(refused)) == refused)
        var push = refused
        push.push = Push()
        push.push?.category = "album"
        push.attachments = [manifest, refused]
        push.groupMemory = Manifest.GroupMemory(residentBytes: 3, shareBytes: 4, capBytes: 2)
        #expect(ManifestCoding.read(ManifestCoding.document(push)) == push)
    }

    @Test("the schema comes first, one line is one line, and a document ends with a line feed")
    func layout() {
        let line = String(decoding: ManifestCoding.line(Self.published), as: UTF8.self)
        #expect(line.hasPrefix(#"{"schema":"mediaprep.manifest/1","name":"IMG.HEIC","status":"published","recipe":""#))
        #expect(!line.contains("\n"))
        let document = String(decoding: ManifestCoding.document(Self.published), as: UTF8.self)
        #expect(document.hasSuffix("}\n"))
        #expect(document.split(separator: "\n").count == 14)
    }

    @Test("the fields are the documented ones")
    func fields() {
        let line = String(decoding: ManifestCoding.line(Self.published), as: UTF8.self)
        let expected = [
            #""media_type":"image/heic""#, #""width_px":4032"#, #""orientation":6"#, #""has_gps":true"#,
            #""trailing_bytes":7"#, #""color_profile":"Display P3""#, #""aspect_ratio":1.3333"#,
            #""file":"IMG.jpg""#, #""path":"album/IMG.jpg""#, #""uti":"public.jpeg""#, #""subsampling":"4:2:0""#,
            #""target_bytes":100000"#,
            #""bitmap_bytes":1920000"#, #""resident_bytes":1933312"#, #""reencode_in_nse":12377700"#,
        ]
        for field in expected {
            #expect(line.contains(field), "\(field) is missing in \(line)")
        }
    }

    @Test("a note is told once")
    func notes() {
        #expect(Self.published.notes?.count == 1)
    }

    @Test(
        "what is not one of our manifests is not read",
        arguments: ["", "{", "null", #"{"schema":"other/1"}"#, "[1]", "\u{0}"])
    func foreign(text: String) {
        #expect(ManifestCoding.read(Array(text.utf8)) == nil)
    }

    @Test("every setting changes the fingerprint")
    func fingerprint() {
        var recipes = [Recipe()]
        for change: (inout Recipe) -> Void in [
            { $0.shortEdge = 500 }, { $0.quality = 79 }, { $0.qualityFloor = 30 }, { $0.maxBytes = 90_000 },
            { $0.background = Recipe.Background(red: 0, green: 0, blue: 0) }, { $0.imageShareBytes = 4 << 20 },
        ] {
            var recipe = Recipe()
            change(&recipe)
            recipes.append(recipe)
        }
        #expect(Set(recipes.map(\.fingerprint)).count == recipes.count)
        #expect(recipes[0].fingerprint.utf8.count == 16)
    }
}
