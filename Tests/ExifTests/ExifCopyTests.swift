import Exif
import Scenes
import Testing

@testable import MediaProbe

/// The copy of an EXIF block that the reader gets has no MakerNote, and says the same of everything else.
@Suite struct ExifCopyTests {
    static let secret = "MAKER-NOTE-SECRET"

    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        /// False where the note's data runs out of the block, so that only its entry goes.
        var clearsData = true
        let build: @Sendable (Bool) -> ExifTree
        var testDescription: String { name }
    }

    /// One directory at 8, the secret at 300.
    private static func single(_ isLittleEndian: Bool, _ entries: [ExifTree.Entry]) -> ExifTree {
        var tree = ExifTree(isLittleEndian: isLittleEndian)
        tree.directory(at: 8, [.orientation] + entries)
        tree.data(secret, at: 300)
        return tree
    }

    static let cases = [
        Case(name: "in IFD0") { single($0, [.note(17, at: 300)]) },
        Case(name: "twice in IFD0") { single($0, [.note(17, at: 300), .note(40, at: 290)]) },
        Case(name: "as longs") { single($0, [.note(5, at: 300, type: 4)]) },
        Case(name: "of a type that does not exist") { single($0, [.note(17, at: 300, type: 99)]) },
        Case(name: "in the entry itself", clearsData: false) { single($0, [.note(4, at: 0x4142_4344)]) },
        Case(name: "a count that overflows", clearsData: false) { single($0, [.note(0xFFFF_FFFF, at: 300)]) },
        Case(name: "doubles that overflow", clearsData: false) {
            single($0, [.note(0xFFFF_FFFF, at: 300, type: 12)])
        },
        Case(name: "an offset outside", clearsData: false) { single($0, [.note(17, at: 0xFFFF_FFF0)]) },
        Case(name: "one byte past the end", clearsData: false) { single($0, [.note(17, at: 384)]) },
        Case(name: "up to the end") { single($0, [.note(100, at: 300)]) },
        Case(name: "over the directory itself") { single($0, [.note(400, at: 0)]) },
        Case(name: "in the Exif directory, at an odd offset") {
            var tree = single($0, [.exif(at: 101)])
            tree.directory(at: 101, [.note(17, at: 300)])
            return tree
        },
        Case(name: "in IFD1") {
            var tree = single($0, [])
            tree.directory(at: 8, [.orientation], next: 60)
            tree.directory(at: 60, [.note(17, at: 300)])
            return tree
        },
        Case(name: "in the GPS and the interoperability directory") {
            var tree = single($0, [.gps(at: 60), .exif(at: 100)])
            tree.directory(at: 60, [.latitude, .note(17, at: 300)])
            tree.directory(at: 100, [.interoperability(at: 140)])
            tree.directory(at: 140, [.note(9, at: 308)])
            return tree
        },
        Case(name: "two Exif pointers") {
            var tree = single($0, [.exif(at: 60), .exif(at: 100)])
            tree.directory(at: 60, [.note(8, at: 300)])
            tree.directory(at: 100, [.note(9, at: 308)])
            return tree
        },
        Case(name: "a directory over the header and everything else", clearsData: false) {
            single($0, [.gps(at: 0), .note(17, at: 300)])
        },
        Case(name: "directories in a circle") {
            var tree = single($0, [.exif(at: 60)])
            tree.directory(at: 60, [.note(17, at: 300), .exif(at: 8), .gps(at: 60)], next: 8)
            return tree
        },
        Case(name: "a directory that is cut off") {
            var tree = single($0, [.exif(at: 372)])
            tree.directory(at: 372, [.note(17, at: 300)])
            return tree
        },
        Case(name: "beside a camera") {
            var tree = single($0, [.make(at: 200), .note(17, at: 300)])
            tree.data("Lumen", at: 200)
            return tree
        },
    ]

    @Test(arguments: cases, [true, false])
    func noNoteIsLeft(_ test: Case, _ isLittleEndian: Bool) {
        let tree = test.build(isLittleEndian)
        let copy = Self.copy(tree.bytes)
        #expect(copy.count == tree.bytes.count)
        #expect(ExifFacts(copy) == ExifFacts(tree.bytes))
        #expect(ExifFacts(copy).orientation == 6)
        #expect(Self.contains(copy, Self.secret) == !test.clearsData)
        #expect(Self.copy(copy) == copy, "a second copy is another one")
        #expect(copy != tree.bytes)
    }

    @Test func everythingElseStaysAsItIs() {
        for (hasCamera, hasGPS) in [(false, false), (true, false), (false, true), (true, true)] {
            let block = ExifBlock(orientation: 3, hasCamera: hasCamera, hasGPS: hasGPS).bytes
            #expect(Self.copy(block) == block)
        }
    }

    @Test func whatIsNoBlockIsEmpty() {
        #expect(Self.copy([]).isEmpty)
        #expect(Self.copy([0x49, 0x49, 0x2A, 0]).isEmpty)
        #expect(Self.copy(Array("no EXIF block at all".utf8)).isEmpty)
        let block = ExifBlock(orientation: 3).bytes
        #expect(ExifCopy.withoutMakerNotes(block.span, 0..<block.count + 1).isEmpty)
        #expect(ExifCopy.withoutMakerNotes(block.span, 0..<0).isEmpty)
    }

    @Test func aLongBlockIsCut() {
        var tree = ExifTree(size: 100_000)
        tree.directory(at: 8, [.orientation, .note(17, at: 65_500), .note(17, at: 90_000)])
        tree.data(Self.secret, at: 65_500)
        let copy = Self.copy(tree.bytes)
        #expect(copy.count == 65_527)
        #expect(!Self.contains(copy, Self.secret))
        #expect(ExifFacts(copy).orientation == 6)
    }

    /// Each directory is one byte after the other, with as many entries as the block holds.
    @Test func overlappingDirectoriesComeToAnEnd() {
        var bytes = [UInt8](repeating: 0x87, count: 65_527)
        bytes.replaceSubrange(0..<8, with: [0x49, 0x49, 0x2A, 0, 8, 0, 0, 0])
        for start in stride(from: 8, to: 65_000, by: 12) {
            let next = start + 13
            bytes.replaceSubrange(
                start..<start + 12,
                with: [0xFF, 0xFF, 0x69, 0x87, 4, 0, 1, 0, UInt8(next & 0xFF), UInt8(next >> 8), 0, 0])
        }
        _ = Self.copy(bytes)
        _ = Self.copy([0x49, 0x49, 0x2A, 0, 0, 0, 0, 0] + [UInt8](repeating: 0x7C, count: 60_000))
    }

    @Test func noiseIsSurvivedAndTellsNoMore() {
        var state: UInt64 = 7
        func random(_ below: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % below
        }
        for round in 0..<3_000 {
            var bytes = Self.cases[round % Self.cases.count].build(round % 2 == 0).bytes
            for _ in 0...random(12) { bytes[random(bytes.count)] = UInt8(random(256)) }
            let copy = Self.copy(bytes)
            #expect(copy.isEmpty || copy.count == bytes.count)
            if !copy.isEmpty { #expect(Self.copy(copy) == copy) }
        }
    }

    static func copy(_ block: [UInt8]) -> [UInt8] {
        ExifCopy.withoutMakerNotes(block.span, 0..<block.count)
    }

    static func contains(_ bytes: [UInt8], _ text: String) -> Bool {
        let pattern = Array(text.utf8)
        guard bytes.count >= pattern.count else { return false }
        return (0...bytes.count - pattern.count).contains { bytes[$0...].starts(with: pattern) }
    }
}
