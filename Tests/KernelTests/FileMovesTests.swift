import Glibc
import Kernel
import Testing

@Suite struct FileMovesTests {
    @Test(
        "a rename refuses, replaces or exchanges what has the name",
        arguments: [FileDescriptor.Taken.refuse, .replace, .exchange])
    func rename(ifTaken: FileDescriptor.Taken) throws {
        let from = try TemporaryDirectory()
        let to = try TemporaryDirectory()
        try from.write("a", to: "a")
        let first = { () throws(Errno) in
            try FileDescriptor.rename("a", in: from.descriptor, to: "b", in: to.descriptor, ifTaken: ifTaken)
        }
        if ifTaken == .exchange {
            #expect(throws: Errno.noSuchFileOrDirectory) { try first() }
            try from.write("was there", to: "b")
            try FileDescriptor.rename("b", in: from.descriptor, to: "b", in: to.descriptor, ifTaken: .refuse)
        }
        try first()
        if ifTaken == .exchange {
            #expect(try from.read("a") == "was there")
            try FileDescriptor.unlink("a", relativeTo: from.descriptor)
        }
        #expect(try from.names().isEmpty)
        #expect(try to.read("b") == "a")
        try from.write("again", to: "a")
        let again = { () throws(Errno) in
            try FileDescriptor.rename("a", in: from.descriptor, to: "b", in: to.descriptor, ifTaken: ifTaken)
        }
        switch ifTaken {
        case .replace:
            try again()
            #expect(try to.read("b") == "again")
        case .refuse:
            #expect(throws: Errno.fileExists) { try again() }
            #expect(try to.read("b") == "a")
            #expect(try from.read("a") == "again")
        case .exchange:
            try again()
            #expect(try to.read("b") == "again")
            #expect(try from.read("a") == "a")
        }
    }

    @Test func renamesDirectoriesWithWhatIsInThem() throws {
        let from = try TemporaryDirectory()
        let to = try TemporaryDirectory()
        try FileDescriptor.makeDirectory("d", relativeTo: from.descriptor)
        try from.write("x", to: "d/x")
        try FileDescriptor.rename("d", in: from.descriptor, to: "e", in: to.descriptor, ifTaken: .refuse)
        #expect(try to.read("e/x") == "x")
        try FileDescriptor.unlink("e/x", relativeTo: to.descriptor)
    }

    @Test func linksReplaceNothing() throws {
        let directory = try TemporaryDirectory()
        try directory.write("a", to: "a")
        try FileDescriptor.link("a", in: directory.descriptor, to: "b", in: directory.descriptor)
        #expect(try FileDescriptor.status(of: "b", relativeTo: directory.descriptor).linkCount == 2)
        #expect(throws: Errno.fileExists) {
            try FileDescriptor.link("a", in: directory.descriptor, to: "b", in: directory.descriptor)
        }
        #expect(throws: Errno.noSuchFileOrDirectory) {
            try FileDescriptor.link("missing", in: directory.descriptor, to: "c", in: directory.descriptor)
        }
    }

    @Test func removesOnlyEmptyDirectories() throws {
        let directory = try TemporaryDirectory()
        try FileDescriptor.makeDirectory("d", relativeTo: directory.descriptor)
        try directory.write("x", to: "d/x")
        #expect(throws: Errno.directoryNotEmpty) {
            try FileDescriptor.removeDirectory("d", relativeTo: directory.descriptor)
        }
        #expect(throws: Errno.notDirectory) {
            try FileDescriptor.removeDirectory("d/x", relativeTo: directory.descriptor)
        }
        try FileDescriptor.unlink("d/x", relativeTo: directory.descriptor)
        try FileDescriptor.removeDirectory("d", relativeTo: directory.descriptor)
        #expect(try directory.names().isEmpty)
    }

    struct Content: CustomTestStringConvertible, Sendable {
        let testDescription: String
        /// Where bytes are, in order.
        let pieces: [(offset: Int, count: Int)]
        let size: Int
    }

    @Test(arguments: [
        Content(testDescription: "empty", pieces: [], size: 0),
        Content(testDescription: "one byte", pieces: [(0, 1)], size: 1),
        Content(testDescription: "longer than the buffer", pieces: [(0, 700_001)], size: 700_001),
        Content(testDescription: "a hole only", pieces: [], size: 1 << 20),
        Content(testDescription: "holes between", pieces: [(1 << 20, 5000), (3 << 20, 100)], size: 5 << 20),
    ])
    func copies(_ content: Content) throws {
        let directory = try TemporaryDirectory()
        try directory.write("", to: "a")
        try directory.write("something that was there", to: "b")
        let source = try FileDescriptor.open("a", flags: .readWrite, relativeTo: directory.descriptor)
        ftruncate(source.rawValue, content.size)
        for piece in content.pieces {
            let bytes = (0..<piece.count).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ 7) }
            #expect(pwrite(source.rawValue, bytes, bytes.count, piece.offset) == bytes.count)
        }
        let target = try FileDescriptor.open("b", flags: .readWrite, relativeTo: directory.descriptor)
        ftruncate(target.rawValue, 0)
        try source.copyContent(to: target, size: content.size)
        let copy = try FileDescriptor.open("b", flags: .readOnly, relativeTo: directory.descriptor)
        let original = try FileDescriptor.open("a", flags: .readOnly, relativeTo: directory.descriptor)
        #expect(try copy.readAll(maximumBytes: 10 << 20) == original.readAll(maximumBytes: 10 << 20))
    }

    @Test("what knows no positions is no reason to go on for ever")
    func copiesNothing() throws {
        let directory = try TemporaryDirectory()
        try directory.write("", to: "a")
        let target = try FileDescriptor.open("a", flags: .readWrite, relativeTo: directory.descriptor)
        try FileDescriptor.open("/dev/null", flags: .readOnly).copyContent(to: target, size: 1000)
        #expect(try target.status().size == 1000)
    }

    @Test(
        "a copy keeps permissions and time, but not the right to become another user", arguments: [0, 5, -5] as [Int64])
    func attributes(seconds: Int64) throws {
        let directory = try TemporaryDirectory()
        try directory.write("", to: "a")
        try directory.write("", to: "b")
        let file = try FileDescriptor.open("a", flags: .readWrite, relativeTo: directory.descriptor)
        fchmod(file.rawValue, 0o6044)
        let time = timespec(tv_sec: Int(seconds), tv_nsec: 123_456_789)
        futimens(file.rawValue, [time, time])
        let copy = try FileDescriptor.open("b", flags: .readWrite, relativeTo: directory.descriptor)
        try copy.copyAttributes(of: file.status())
        #expect(try copy.status().mode == 0o644)
        #expect(try copy.status().modified == file.status().modified)
    }

    @Test("a prepared file appears in another directory")
    func preparedElsewhere() throws {
        let from = try TemporaryDirectory()
        let to = try TemporaryDirectory()
        try to.write("old", to: "a")
        try PublishedFile.prepare(Array("new".utf8).span, temporaryName: "t", in: from.descriptor, sync: true)
        #expect(try from.read("t") == "new")
        #expect(try to.read("a") == "old")
        try PublishedFile.place("t", in: from.descriptor, as: "a", in: to.descriptor)
        #expect(try to.read("a") == "new")
        #expect(try from.names().isEmpty)
    }

    @Test("a prepared file that cannot appear is gone", arguments: ["dir", "", "..", "a/b"] as [FilePath])
    func preparedInVain(name: FilePath) throws {
        let from = try TemporaryDirectory()
        let to = try TemporaryDirectory()
        try FileDescriptor.makeDirectory("dir", relativeTo: to.descriptor)
        try PublishedFile.prepare([1].span, temporaryName: "t", in: from.descriptor, sync: false)
        #expect(throws: Errno.self) {
            try PublishedFile.place("t", in: from.descriptor, as: name, in: to.descriptor)
        }
        #expect(try from.names().isEmpty)
        #expect(try to.names() == ["dir"])
    }
}
