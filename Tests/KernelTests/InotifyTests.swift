import Glibc
import Kernel
import Testing

@Suite struct InotifyTests {
    /// A temporary directory that a closure can be given.
    final class Tree {
        let directory: TemporaryDirectory

        init() throws {
            directory = try TemporaryDirectory()
        }
    }

    struct Way: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let changes: [Inotify.Change]
        let act: @Sendable (InotifyTests.Tree) throws -> Void
    }

    static let ways = [
        Way(testDescription: "written", changes: [.created, .closed]) {
            try $0.directory.write("text", to: "name")
        },
        Way(testDescription: "renamed", changes: [.created, .closed, .renamedIn]) {
            try $0.directory.write("text", to: "other")
            try FileDescriptor.rename("other", to: "name", in: $0.directory.descriptor)
        },
        Way(testDescription: "a FIFO", changes: [.created]) { try $0.directory.makeFIFO("name") },
        Way(testDescription: "a link", changes: [.created]) {
            try $0.directory.makeSymbolicLink("name", to: "nowhere")
        },
        Way(testDescription: "a directory", changes: [.created]) {
            try FileDescriptor.makeDirectory("name", relativeTo: $0.directory.descriptor)
        },
        Way(testDescription: "only read", changes: [.created, .closed]) {
            try $0.directory.write("text", to: "name")
            _ = try $0.directory.read("name")
        },
    ]

    @Test("what happens in a watched directory is told in order", arguments: ways)
    func tells(_ way: Way) throws {
        let tree = try Tree()
        let inotify = try Inotify()
        let watch = try inotify.watch(tree.directory.path)
        #expect(try inotify.read() == [])
        try way.act(tree)
        #expect(try Poll.readable([inotify.descriptor.rawValue], until: .now.advanced(by: .seconds(60))) == [true])
        let events = try inotify.read()
        #expect(events.map(\.change) == way.changes)
        #expect(events.last?.name == "name")
        #expect(events.allSatisfy { $0.watch == watch })
        #expect(try inotify.read() == [])
    }

    @Test("names are bytes of any length up to 255")
    func names() throws {
        let tree = try TemporaryDirectory()
        let inotify = try Inotify()
        _ = try inotify.watch(tree.path)
        let names = (1...255).map { FilePath(bytes: [UInt8](repeating: 0xFF, count: $0)) }
        for name in names { try tree.makeFIFO(name) }
        var told: [FilePath] = []
        while true {
            let events = try inotify.read()
            if events.isEmpty { break }
            told += events.map(\.name)
        }
        #expect(told == names)
    }

    @Test("the end of the directory is told, and that of the watch")
    func ends() throws {
        let tree = try TemporaryDirectory()
        let inotify = try Inotify()
        try FileDescriptor.makeDirectory("inner", relativeTo: tree.descriptor)
        let watch = try inotify.watch(tree.path.appending("inner"))
        try FileDescriptor.rename("inner", to: "other", in: tree.descriptor)
        #expect(try inotify.read().map(\.change) == [.directoryMoved])
        try FilePath("other").withCString { (name) throws(Errno) in
            if unlinkat(tree.descriptor.rawValue, name, AT_REMOVEDIR) != 0 { throw .current }
        }
        #expect(try inotify.read().map(\.change) == [.directoryMoved, .watchEnded])
        // Removing it once more does no harm.
        inotify.remove(watch)
    }

    @Test("a watch that is removed tells of nothing more")
    func removed() throws {
        let tree = try TemporaryDirectory()
        let inotify = try Inotify()
        inotify.remove(try inotify.watch(tree.path))
        try tree.write("text", to: "name")
        #expect(try inotify.read().map(\.change) == [.watchEnded])
    }

    @Test("only directories that exist are watched")
    func refusals() throws {
        let tree = try TemporaryDirectory()
        try tree.write("text", to: "file")
        let inotify = try Inotify()
        #expect(throws: Errno.notDirectory) { _ = try inotify.watch(tree.path.appending("file")) }
        #expect(throws: Errno.noSuchFileOrDirectory) { _ = try inotify.watch(tree.path.appending("nowhere")) }
        #expect(throws: Errno.invalidArgument) { _ = try inotify.watch(FilePath(bytes: [0x61, 0])) }
    }

    @Test func nothingStaysOpen() async {
        await #expect(processExitsWith: .success) {
            let left = try descriptorsLeft {
                let inotify = try Inotify()
                _ = try inotify.watch("/tmp")
                let flag = try EventFlag()
                flag.set()
                var stream = try DirectoryStream(of: FileDescriptor.open("/", flags: .directory))
                _ = try stream.next()
                let directory = try FileDescriptor.open("/etc", flags: .directory)
                _ = try ReadLease.look(at: "passwd", in: directory)
                _ = try? ReadLease.look(at: "nowhere", in: directory)
                _ = try? DirectoryStream(of: FileDescriptor.open("/etc/passwd", flags: .readOnly))
            }
            #expect(left == 0)
        }
    }
}
