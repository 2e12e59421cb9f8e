import Glibc
import Kernel
import Testing

@Suite struct ReadLeaseTests {
    @Test("a lease tells whether somebody has the file open for writing")
    func writers() throws {
        let tree = try TemporaryDirectory()
        try tree.write("text", to: "file")
        let quiet = try ReadLease.look(at: "file", in: tree.descriptor)
        #expect(quiet.writers == .none)
        #expect(quiet.status == (try FileDescriptor.status(of: "file", relativeTo: tree.descriptor)))
        let reader = try FileDescriptor.open("file", flags: .readOnly, relativeTo: tree.descriptor)
        #expect(try ReadLease.look(at: "file", in: tree.descriptor).writers == .none)
        let writer = try FileDescriptor.open("file", flags: .readWrite, relativeTo: tree.descriptor)
        #expect(try ReadLease.look(at: "file", in: tree.descriptor).writers == .some)
        try writer.close()
        #expect(try ReadLease.look(at: "file", in: tree.descriptor).writers == .none)
        try reader.close()
    }

    @Test("nothing but a regular file is opened", arguments: ["fifo", "dangling", "link-to-file", "directory"])
    func otherKinds(_ name: String) throws {
        let tree = try FileDescriptorTests.tree()
        // The writing end of a FIFO that somebody reads, if only for a moment, could be opened from then on.
        let look = try ReadLease.look(at: FilePath(name), in: tree.descriptor)
        #expect(look.writers == .unknown)
        #expect(look.status.kind != .regular)
    }

    @Test func aMissingNameIsAnError() throws {
        let tree = try TemporaryDirectory()
        #expect(throws: Errno.noSuchFileOrDirectory) { _ = try ReadLease.look(at: "nowhere", in: tree.descriptor) }
    }

    @Test("a file that we may not open, or not lease, has unknown writers")
    func notAllowed() async {
        await #expect(processExitsWith: .success) {
            let tree = try TemporaryDirectory()
            try tree.write("text", to: "file")
            try #require(fchmod(tree.descriptor.rawValue, 0o777) == 0)
            // Only root has another user to become.
            guard geteuid() == 0 else { return }
            try #require(seteuid(65534) == 0)
            let look = try ReadLease.look(at: "file", in: tree.descriptor)
            try #require(seteuid(0) == 0)
            #expect(look.writers == .unknown)
        }
    }

    @Test("a writer who comes while the lease is held does not kill us")
    func breaks() async {
        await #expect(processExitsWith: .success) {
            let tree = try TemporaryDirectory()
            try tree.write("text", to: "file")
            let path = tree.path.appending("file")
            let stop = try StopFlag()
            let ended = try StopFlag()
            let writer = try SystemThread.start {
                while !stop.isSet { _ = try? FileDescriptor.open(path, flags: .writeOnly) }
                ended.set()
            }
            for _ in 0..<20_000 { _ = try ReadLease.look(at: "file", in: tree.descriptor) }
            stop.set()
            #expect(try Poll.readable([ended.descriptor.rawValue], until: .now.advanced(by: .seconds(60))) == [true])
            writer.join()
        }
    }
}
