import Kernel
import Testing

@Suite struct DirectoryStreamTests {
    @Test("brings what a listing has")
    func entries() throws {
        let tree = try FileDescriptorTests.tree()
        var stream = try DirectoryStream(of: tree.descriptor)
        var names: [FilePath] = []
        while let entry = try stream.next() { names.append(entry.name) }
        #expect(names.sorted() == (try tree.names()))
        #expect(try stream.next() == nil)
    }

    @Test("outlives the descriptor that it was made from, and needs none of the files")
    func independent() throws {
        let tree = try TemporaryDirectory()
        try tree.write("", to: "a")
        var stream = try DirectoryStream(of: FileDescriptor.open(tree.path, flags: .directory))
        try FileDescriptor.unlink("a", relativeTo: tree.descriptor)
        while try stream.next() != nil {}
    }

    @Test("identity goes through links, status does not")
    func identity() throws {
        let tree = try FileDescriptorTests.tree()
        let link = tree.path.appending("link-to-directory")
        #expect(try FileDescriptor.status(of: link).kind == .symlink)
        let directory = try FileDescriptor.status(of: tree.path.appending("directory"))
        #expect(try FileDescriptor.status(following: link).isSameFile(as: directory))
        #expect(throws: Errno.noSuchFileOrDirectory) {
            _ = try FileDescriptor.status(following: tree.path.appending("dangling"))
        }
        let isRemote = tree.descriptor.isOnRemoteFileSystem
        #expect(!isRemote)
    }

    @Test("an event flag can be set and reset any number of times")
    func eventFlag() throws {
        let flag = try EventFlag()
        for _ in 0..<3 {
            #expect(try Poll.readable([flag.descriptor.rawValue], until: .now) == [false])
            flag.set()
            flag.set()
            #expect(try Poll.readable([flag.descriptor.rawValue], until: .now) == [true])
            flag.reset()
            flag.reset()
        }
    }

    static let patterns: [(pattern: String, name: FilePath, matches: Bool)] = [
        (".*", ".hidden", true), (".*", "a.jpg", false), ("*.part", "a.part", true), ("*.part", ".part", true),
        ("*.part", "a.part.jpg", false), ("*~", "a~", true), ("a?c", "abc", true), ("[ab]", "b", true),
        ("*", FilePath(bytes: [0xFF, 0x0A]), true), ("*.tmp", FilePath(bytes: [0xFF] + Array(".tmp".utf8)), true),
        ("", "a", false), ("*.PART", "a.part", false),
    ]

    @Test("patterns match as in a shell, but for dots at the start", arguments: patterns)
    func matches(pattern: String, name: FilePath, matches: Bool) {
        #expect(NamePatterns([pattern]).match(name) == matches)
        #expect(NamePatterns(["nothing", pattern]).match(name) == matches)
        #expect(!NamePatterns([]).match(name))
    }
}
