import AttachmentRules
import JobProtocol
import Kernel
import Testing

@testable import Service

/// What a manifest tells of its result's standing with the rules.
@Suite struct OutputChecksTests {
    private func manifest(width: Int, height: Int, bytes: Int, _ recipe: Recipe = Recipe()) -> Manifest {
        var manifest = Manifest(
            name: "a.jpg", status: .rejected, recipe: "r", createdAt: "2026-01-01T00:00:00Z",
            source: Manifest.Source(name: "a.jpg", path: "a.jpg"))
        (manifest.source.bytes, manifest.source.mediaType) = (900_000, .jpeg)
        (manifest.source.width, manifest.source.height) = (width, height)
        var rendition = Rendition(
            size: PlannedSize(width: width, height: height), bytes: bytes, quality: 80, isProgressive: false,
            attempts: 1, reason: .asAsked, libvips: "8.14.1")
        rendition.focus = 0
        manifest.tell(rendition, at: "a.jpg", sha256: String(repeating: "b", count: 64), recipe: recipe)
        return manifest
    }

    @Test("a good result has no findings, and a word from every profile") func good() {
        var manifest = manifest(width: 800, height: 600, bytes: 60_000)
        manifest.judge(by: .ios, among: Profile.builtIn)
        #expect(manifest.checks == [] && manifest.objection == nil)
        #expect(Set(manifest.profiles?.keys.map { $0 } ?? []) == Set(Profile.builtIn.map(\.name)))
        #expect(manifest.profiles?["ios"] == "ok")
        #expect(manifest.profiles?["clevertap-android"] == "error:SIZ003")
        #expect(manifest.memory?.budgets?["nse-ios13"]?.verdict == .ok)
        #expect(manifest.attachment?.identifier == "bbbbbbbbbbbb")
        #expect(manifest.attachment?.thumbnailClippingRectangle == UnitRectangle(x: 0, y: 0, width: 0.75, height: 1))
    }

    @Test("a source that was not enlarged is told of, and is no objection") func small() {
        var manifest = manifest(width: 400, height: 300, bytes: 30_000)
        manifest.judge(by: .ios, among: Profile.builtIn)
        #expect(manifest.checks?.map(\.rule) == [.notEnlarged])
        #expect(manifest.checks?.map(\.subject) == [.source])
        #expect(manifest.objection == nil && manifest.profiles?["ios"] == "ok")
    }

    @Test("what the receiver would refuse is not published") func refused() {
        var large = manifest(width: 800, height: 601, bytes: 60_000)
        large.judge(by: .ios, among: Profile.builtIn)
        #expect(large.objection?.rule == .notResized)
        var heavy = manifest(width: 800, height: 500, bytes: 50_000)
        var receiver = Profile.clevertapAndroid
        receiver.recipe.maxBytes = 100_000
        heavy.judge(by: receiver, among: Profile.builtIn)
        #expect(heavy.objection?.rule == .overProfileLimit)
        #expect(heavy.profiles?["clevertap-android"] == "error:SIZ003")
    }

    @Test("the longest panorama that is planned fits into a service extension in every way, a longer one is told of")
    func panorama() {
        let size = Plan.size(width: 16_382, height: 1_800, recipe: Recipe())
        var planned = manifest(width: size.width, height: size.height, bytes: Recipe().maxBytes)
        planned.judge(by: .ios, among: Profile.builtIn)
        #expect(size.height < 600 && planned.objection == nil)
        #expect(planned.profiles?["ios"]?.hasPrefix("warning:") == true)
        var longer = manifest(width: 3_488, height: 600, bytes: 99_000)
        longer.judge(by: .ios, among: Profile.builtIn)
        #expect(longer.profiles?["ios"] == "error:MEM001" && longer.objection == nil)
    }
}
