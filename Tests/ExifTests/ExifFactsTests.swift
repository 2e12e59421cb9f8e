import Exif
import Scenes
import Testing

@Suite struct ExifFactsTests {
    @Test func cameraPlaceAndDateAreSeen() {
        for (hasCamera, hasGPS) in [(false, false), (true, false), (false, true), (true, true)] {
            let block = ExifBlock(orientation: 1, hasCamera: hasCamera, hasGPS: hasGPS)
            let exif = ExifFacts(block.bytes)
            #expect(exif.hasCamera == hasCamera)
            #expect(exif.hasDate == hasCamera)
            #expect(exif.hasGPS == hasGPS)
            #expect(exif.orientation == 1)
        }
    }

    @Test func onlyTheEightOrientationsCount() {
        for orientation in [9, 255, 65_535] {
            #expect(ExifFacts(ExifBlock(orientation: orientation).bytes).orientation == nil)
        }
        for orientation in 1...8 {
            #expect(ExifFacts(ExifBlock(orientation: orientation).bytes).orientation == orientation)
        }
    }

    @Test func brokenExifGivesNoFactsAndNoCrash() {
        let whole = ExifBlock(orientation: 6, hasCamera: true, hasGPS: true).bytes
        for length in 0..<whole.count {
            _ = ExifFacts(whole.prefix(length))
        }
        for index in whole.indices {
            var damaged = whole
            damaged[index] = 0xFF
            _ = ExifFacts(damaged)
        }
        #expect(ExifFacts([]) == ExifFacts([1, 2, 3]))
    }
}
