import AttachmentRules
import Testing

@Suite struct RecipeTests {
    @Test(
        "a background is six hexadecimal digits",
        arguments: [
            ("#ffffff", "#ffffff"), ("000000", "#000000"), ("#0A0b0C", "#0a0b0c"), ("#fff", nil), ("", nil),
            ("#gggggg", nil), ("#+12345", nil), ("#ffffff0", nil), ("white", nil),
        ])
    func background(text: String, expected: String?) {
        #expect(Recipe.Background(hex: text)?.hex == expected)
    }
}
