import Configuration
import Testing

@Suite struct ServeSettingsTests {
    @Test("pictures are kept, and outcomes are on the disk, unless said otherwise")
    func standard() {
        #expect(ServeSettings().originals == .keep)
        #expect(ServeSettings().syncs)
    }
}
