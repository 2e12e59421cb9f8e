import Kernel
import Testing

@testable import Service

@Suite struct OutputNamesTests {
    struct Example: CustomTestStringConvertible {
        var what: String
        var sources: [FilePath]
        var directories: Set<FilePath> = []
        var names: [FilePath]
        var testDescription: String { what }
    }

    static let examples = [
        Example(what: "the extension gives way", sources: ["IMG.HEIC"], names: ["IMG.jpg"]),
        Example(what: "a JPEG keeps its name", sources: ["a.jpg"], names: ["a.jpg"]),
        Example(what: "two spellings of one ending", sources: ["b.JPEG"], names: ["b.jpg"]),
        Example(what: "no extension", sources: ["photo"], names: ["photo.jpg"]),
        Example(what: "a dot is no extension", sources: ["Mr. Smith"], names: ["Mr. Smith.jpg"]),
        Example(what: "a hidden file has no extension", sources: [".png"], names: [".png.jpg"]),
        Example(what: "the owner keeps the name", sources: ["a.jpg", "a.png"], names: ["a.jpg", "a.png.jpg"]),
        Example(what: "no owner, no favourite", sources: ["a.gif", "a.png"], names: ["a.gif.jpg", "a.png.jpg"]),
        Example(what: "case counts", sources: ["a.JPG", "a.jpg"], names: ["a.JPG.jpg", "a.jpg"]),
        Example(
            what: "a full name that is taken", sources: ["a.jpg", "a.png", "a.png.jpg"],
            names: ["a.jpg", "a.png-c8e91a22a3a41b6f.jpg", "a.png.jpg"]),
        Example(what: "a directory has the name", sources: ["a.png"], directories: ["a.jpg"], names: ["a.png.jpg"]),
    ]

    @Test("each source has a name of its own", arguments: examples)
    func assign(_ example: Example) {
        let names = OutputNames.assign(example.sources, besides: example.directories)
        for (source, expected) in zip(example.sources, example.names) where !expected.display.contains("-") {
            #expect(names[source] == expected)
        }
        #expect(Set(names.values).count == example.sources.count)
        // The order in which a directory is read decides nothing.
        #expect(OutputNames.assign(example.sources.reversed(), besides: example.directories) == names)
    }

    struct ClipExample: CustomTestStringConvertible {
        var what: String
        /// Each source, the extension of the type that it turns out to be, and its name.
        var files: [(source: FilePath, fileExtension: String, name: FilePath)]
        var directories: Set<FilePath> = []
        var testDescription: String { what }
    }

    @Test(
        "each sound or film has a name of its own, whatever the files turn out to be",
        arguments: [
            ClipExample(what: "it keeps its name", files: [("a.mp4", "mp4", "a.mp4")]),
            ClipExample(what: "in small letters", files: [("a.MP4", "mp4", "a.mp4")]),
            ClipExample(what: "the right extension", files: [("a.mov", "mp4", "a.mp4")]),
            ClipExample(what: "no extension", files: [("a", "wav", "a.wav")]),
            ClipExample(what: "a picture's extension", files: [("a.jpg", "mp4", "a.jpg.mp4")]),
            ClipExample(
                what: "one stem, two names that are right",
                files: [("a.mov", "mov", "a.mov"), ("a.mp4", "mp4", "a.mp4")]),
            ClipExample(
                what: "one stem, and one of them is the other's type",
                files: [("a.mov", "mp4", "a.mov.mp4"), ("a.mp4", "mp4", "a.mp4")]),
            ClipExample(
                what: "two spellings", files: [("a.MP4", "mp4", "a.MP4.mp4"), ("a.mp4", "mp4", "a.mp4")]),
            ClipExample(
                what: "a full name that another source has",
                files: [("a.mov.mp4", "mp4", "a.mov.mp4"), ("a.mp4", "mp4", "a.mp4")]),
            ClipExample(
                what: "a directory has the name", files: [("a.mov", "mp4", "a.mov.mp4")], directories: ["a.mp4"]),
        ])
    func clips(_ example: ClipExample) {
        let sources = example.files.map(\.source)
        let stems = OutputNames.clipStems(sources, besides: example.directories)
        var names: Set<FilePath> = []
        for file in example.files {
            let stem = stems[file.source] ?? ""
            let name = OutputNames.clip(file.source, stem: stem, fileExtension: file.fileExtension)
            #expect(name.name == file.name)
            #expect(OutputNames.candidates(for: file.source, fileExtension: file.fileExtension).contains(name))
        }
        // Whatever type each of them turns out to be, no two meet.
        for source in sources {
            let stem = stems[source] ?? ""
            for type in ["mp4", "mov", "wav"] {
                let name = OutputNames.clip(source, stem: stem, fileExtension: type).name
                #expect(names.insert(name).inserted)
            }
        }
    }

    @Test("a name too long for its ending is cut where a character ends, and told apart by its hash")
    func longNames() {
        let name = FilePath(String(repeating: "ä", count: 127) + "x")
        let other = FilePath(String(repeating: "ä", count: 127) + "y")
        let names = OutputNames.assign([name, other], besides: [])
        for source in [name, other] {
            let result = names[source]
            #expect((result?.bytes.count ?? .max) <= 255)
            #expect(result.flatMap { String(validating: $0.bytes, as: UTF8.self) } != nil)
            #expect(OutputNames.manifest(for: source, besides: []).bytes.count <= 255)
        }
        #expect(names[name] != names[other])
        #expect(OutputNames.manifest(for: name, besides: []) != OutputNames.manifest(for: other, besides: []))
    }

    @Test("the manifest has the full source name, the temporary file a short hidden one")
    func besides() {
        #expect(OutputNames.manifest(for: "IMG.HEIC", besides: []) == "IMG.HEIC.json")
        #expect(OutputNames.manifest(for: "a", besides: ["a.json"]) == "a-ca978112ca1bbdca.json")
        let temporary = OutputNames.temporary(for: FilePath(String(repeating: "n", count: 255)))
        #expect(temporary.display.hasPrefix(".mediaprep-"))
        #expect(temporary.bytes.count < 64)
    }
}
