import Glibc
import Kernel
import Testing

@Suite struct PublishedFileTests {
    @Test(arguments: [true, false])
    func appearsWholeUnderItsName(sync: Bool) throws {
        let directory = try TemporaryDirectory()
        try Self.write("new", named: "a", in: directory, sync: sync)
        #expect(try directory.read("a") == "new")
        #expect(try directory.names() == ["a"])
    }

    @Test func replacesWhatWasThere() throws {
        let directory = try TemporaryDirectory()
        try directory.write("old and longer", to: "a")
        try Self.write("new", named: "a", in: directory)
        #expect(try directory.read("a") == "new")
    }

    @Test func replacesALinkAndNotItsTarget() throws {
        let directory = try TemporaryDirectory()
        try directory.write("precious", to: "target")
        try directory.makeSymbolicLink("a", to: "target")
        try directory.makeSymbolicLink("temporary", to: "target")
        try Self.write("new", named: "a", in: directory)
        #expect(try directory.read("target") == "precious")
        #expect(try FileDescriptor.status(of: "a", relativeTo: directory.descriptor).kind == .regular)
        #expect(try directory.names() == ["a", "target"])
    }

    @Test func removesAStaleTemporary() throws {
        let directory = try TemporaryDirectory()
        try directory.write("half of someth", to: "temporary")
        try Self.write("new", named: "a", in: directory)
        #expect(try directory.read("a") == "new")
        #expect(try directory.names() == ["a"])
    }

    @Test func aTargetThatIsADirectoryLeavesNothingBehind() throws {
        let directory = try TemporaryDirectory()
        try FileDescriptor.makeDirectory("a", relativeTo: directory.descriptor)
        let error = #expect(throws: Errno.self) { try Self.write("new", named: "a", in: directory) }
        #expect(error == .isDirectory)
        #expect(try directory.names() == ["a"])
    }

    @Test func aTemporaryThatIsADirectoryIsLeftAlone() throws {
        let directory = try TemporaryDirectory()
        try FileDescriptor.makeDirectory("temporary", relativeTo: directory.descriptor)
        let error = #expect(throws: Errno.self) { try Self.write("new", named: "a", in: directory) }
        #expect(error == .isDirectory)
        #expect(try directory.names() == ["temporary"])
    }

    @Test(arguments: ["", ".", "..", "a/b", "/a", "../a"] as [FilePath])
    func namesOnlyEntriesOfTheDirectory(_ name: FilePath) throws {
        let directory = try TemporaryDirectory()
        let asName = #expect(throws: Errno.self) { try Self.write("new", named: name, in: directory) }
        let asTemporary = #expect(throws: Errno.self) {
            try PublishedFile.write(
                Array("new".utf8).span, named: "a", in: directory.descriptor, temporaryName: name, sync: false)
        }
        #expect(asName == .invalidArgument && asTemporary == .invalidArgument)
        #expect(try directory.names().isEmpty)
    }

    @Test func aWriteThatFailsHalfWayLeavesTheOldFile() async {
        await #expect(processExitsWith: .success) {
            signal(SIGXFSZ, SIG_IGN)
            let directory = try TemporaryDirectory()
            try directory.write("old", to: "a")
            try PublishedFileTests.limitFileSize(to: 100_000)
            let left = try descriptorsLeft { try PublishedFileTests.failHalfWay(in: directory) }
            #expect(left == 0)
        }
    }

    static func failHalfWay(in directory: borrowing TemporaryDirectory) throws {
        let error = #expect(throws: Errno.self) {
            try PublishedFile.write(
                [UInt8](repeating: 1, count: 300_000).span, named: "a", in: directory.descriptor,
                temporaryName: "temporary", sync: true)
        }
        #expect(error == .fileTooLarge)
        #expect(try directory.read("a") == "old")
        #expect(try directory.names() == ["a"])
    }

    static func limitFileSize(to bytes: rlim_t) throws {
        var limit = rlimit(rlim_cur: bytes, rlim_max: bytes)
        guard setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0 else { throw Errno(rawValue: errno) }
    }

    private static func write(
        _ text: String, named name: FilePath, in directory: borrowing TemporaryDirectory, sync: Bool = false
    ) throws {
        try PublishedFile.write(
            Array(text.utf8).span, named: name, in: directory.descriptor, temporaryName: "temporary", sync: sync)
    }
}
