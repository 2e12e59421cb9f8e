import Glibc
import Kernel
import Testing

@Suite struct FileDescriptorTests {
    @Test(
        arguments: [
            ("link-to-file", .symbolicLink),
            ("link-to-directory/inside", .symbolicLink),
            ("link-outside", .symbolicLink),
            ("dangling", .symbolicLink),
            ("..", .crossesBoundary),
            ("directory/../../etc", .crossesBoundary),
            ("/etc/passwd", .crossesBoundary),
            ("missing", .noSuchFileOrDirectory),
            ("", .noSuchFileOrDirectory),
            ("file/inside", .notDirectory),
        ] as [(FilePath, Errno)])
    func openBeneathRefuses(_ path: FilePath, with error: Errno) throws {
        let tree = try Self.tree()
        #expect(throws: error) { _ = try FileDescriptor.openBeneath(path, relativeTo: tree.descriptor) }
    }

    @Test(
        arguments: [
            ("file", .regular), ("directory", .directory), ("directory/inside", .regular), ("fifo", .fifo),
            ("directory/../file", .regular),
        ] as [(FilePath, FileKind)])
    func openBeneathOpensWithoutWaiting(_ path: FilePath, kind: FileKind) throws {
        let tree = try Self.tree()
        let file = try FileDescriptor.openBeneath(path, relativeTo: tree.descriptor)
        let status = try file.status()
        #expect(status.kind == kind)
        #expect(fcntl(file.rawValue, F_GETFD) & FD_CLOEXEC == FD_CLOEXEC)
    }

    @Test func magicLinksAreRefused() throws {
        let descriptors = try FileDescriptor.open("/proc/self/fd", flags: .directory)
        #expect(throws: Errno.symbolicLink) { _ = try FileDescriptor.openBeneath("0", relativeTo: descriptors) }
    }

    @Test(
        arguments: [
            ("file", .regular), ("directory", .directory), ("fifo", .fifo), ("link-to-file", .symlink),
            ("dangling", .symlink), ("/dev/null", .characterDevice),
        ] as [(FilePath, FileKind)])
    func statusTellsKindWithoutFollowing(_ path: FilePath, kind: FileKind) throws {
        let tree = try Self.tree()
        let status = try FileDescriptor.status(of: path, relativeTo: tree.descriptor)
        #expect(status.kind == kind)
    }

    @Test func statusByNameAndByDescriptorAgree() throws {
        let tree = try Self.tree()
        let byName = try FileDescriptor.status(of: "file", relativeTo: tree.descriptor)
        let byDescriptor = try FileDescriptor.openBeneath("file", relativeTo: tree.descriptor).status()
        #expect(byName == byDescriptor)
        #expect(byName.size == 7)
        #expect(byName.linkCount == 1)
        #expect(byName.modified > 1_600_000_000_000_000_000)
    }

    @Test func readAllStopsAtItsLimit() throws {
        let tree = try Self.tree()
        let whole = try FileDescriptor.openBeneath("file", relativeTo: tree.descriptor).readAll(maximumBytes: 7)
        #expect(whole == Array("content".utf8))
        #expect(throws: Errno.fileTooLarge) {
            _ = try FileDescriptor.openBeneath("file", relativeTo: tree.descriptor).readAll(maximumBytes: 6)
        }
    }

    @Test func writeAllSurvivesShortWrites() throws {
        var ends: [Int32] = [-1, -1]
        try #require(pipe(&ends) == 0)
        let (reader, writer) = (ends[0], ends[1])
        // Far more than a pipe holds, so that the writer is stopped again and again.
        let bytes = (0..<1_000_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        let thread = try SystemThread.start {
            let writer = FileDescriptor(adopting: writer)
            try? writer.writeAll(bytes.span)
        }
        let received = try FileDescriptor(adopting: reader).readAll(maximumBytes: 2_000_000)
        thread.join()
        #expect(received == bytes)
    }

    @Test func closeTellsItsError() {
        #expect(throws: Errno.badFileDescriptor) { try FileDescriptor(adopting: 1 << 20).close() }
    }

    @Test func aLockKeepsOthersOut() throws {
        let tree = try Self.tree()
        let first = try FileDescriptor.open("file", flags: .readOnly, relativeTo: tree.descriptor)
        let second = try FileDescriptor.open("file", flags: .readOnly, relativeTo: tree.descriptor)
        try first.lock(exclusive: true, nonblocking: true)
        #expect(throws: Errno.wouldBlock) { try second.lock(exclusive: false, nonblocking: true) }
        try first.close()
        try second.lock(exclusive: false, nonblocking: true)
    }

    @Test func directoriesAreMadeOnce() throws {
        let tree = try Self.tree()
        try FileDescriptor.makeDirectory("new", relativeTo: tree.descriptor)
        #expect(throws: Errno.fileExists) { try FileDescriptor.makeDirectory("new", relativeTo: tree.descriptor) }
        #expect(throws: Errno.isDirectory) { try FileDescriptor.unlink("new", relativeTo: tree.descriptor) }
    }

    @Test func listingIsInByteOrderWithKinds() throws {
        let tree = try Self.tree()
        let odd = FilePath(bytes: [0x2D, 0x0A, 0x1B, 0xFF])
        try tree.write("", to: odd)
        try tree.write("", to: FilePath(String(repeating: "z", count: 255)))
        let listing = try DirectoryListing(of: tree.descriptor)
        let names = listing.entries.map(\.name)
        #expect(names == names.sorted())
        #expect(names.contains(odd))
        #expect(listing.entries.contains { $0.name.bytes.count == 255 })
        let kinds = Dictionary(uniqueKeysWithValues: listing.entries.map { ($0.name, $0.kind) })
        #expect(kinds["fifo"] == .fifo && kinds["directory"] == .directory && kinds["link-outside"] == .symlink)
        #expect(kinds["."] == nil && kinds[".."] == nil)
        // The descriptor's position has not moved.
        #expect(try DirectoryListing(of: tree.descriptor).entries.count == names.count)
    }

    @Test func listingOfAFileFails() throws {
        let tree = try Self.tree()
        let file = try FileDescriptor.openBeneath("file", relativeTo: tree.descriptor)
        #expect(throws: Errno.notDirectory) { _ = try DirectoryListing(of: file) }
    }

    @Test func nothingStaysOpen() async {
        await #expect(processExitsWith: .success) {
            let left = try descriptorsLeft {
                let tree = try FileDescriptorTests.tree()
                _ = try? FileDescriptor.openBeneath("link-outside", relativeTo: tree.descriptor)
                _ = try FileDescriptor.openBeneath("fifo", relativeTo: tree.descriptor)
                _ = try DirectoryListing(of: tree.descriptor)
                let file = try FileDescriptor.openBeneath("file", relativeTo: tree.descriptor)
                _ = try? DirectoryListing(of: file)
                try file.close()
            }
            #expect(left == 0)
        }
    }

    static func tree() throws -> TemporaryDirectory {
        let tree = try TemporaryDirectory()
        try tree.write("content", to: "file")
        try FileDescriptor.makeDirectory("directory", relativeTo: tree.descriptor)
        try tree.write("", to: "directory/inside")
        try tree.makeSymbolicLink("link-to-file", to: "file")
        try tree.makeSymbolicLink("link-to-directory", to: "directory")
        try tree.makeSymbolicLink("link-outside", to: "/etc/passwd")
        try tree.makeSymbolicLink("dangling", to: "nowhere")
        try tree.makeFIFO("fifo")
        return tree
    }
}
