import Glibc
import Kernel
import Testing

@Suite struct MemoryFileTests {
    @Test(arguments: [0, 1, 4095, 4096, 4097, 300_000])
    func snapshotHoldsTheBytesOfItsSource(size: Int) throws {
        let directory = try TemporaryDirectory()
        let bytes = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        try PublishedFile.write(
            bytes.span, named: "a", in: directory.descriptor, temporaryName: "t", sync: false)
        let source = try FileDescriptor.openBeneath("a", relativeTo: directory.descriptor)
        let sealed = try MemoryFile.snapshot(of: source, size: size).seal()
        #expect(sealed.size == size)
        let copy = sealed.withBytes { span in span.indices.map { span[$0] } }
        #expect(copy == bytes)
    }

    @Test(arguments: [(claimed: 3, taken: 3), (claimed: 100, taken: 7)])
    func snapshotTakesWhatIsThere(claimed: Int, taken: Int) throws {
        let directory = try TemporaryDirectory()
        try directory.write("content", to: "a")
        let source = try FileDescriptor.openBeneath("a", relativeTo: directory.descriptor)
        let file = try MemoryFile.snapshot(of: source, size: claimed)
        let size = try file.size
        #expect(size == taken)
    }

    @Test func aSealedFileCannotBeChanged() throws {
        let sealed = try Self.sealed("content")
        let number = sealed.descriptor.rawValue
        #expect(Self.error { Int(ftruncate(number, 3)) } == .notPermitted)
        #expect(Self.error { Int(ftruncate(number, 30)) } == .notPermitted)
        #expect(Self.error { pwrite(number, "X", 1, 0) } == .notPermitted)
        #expect(Self.error { pwrite(number, "X", 1, 7) } == .notPermitted)
        #expect(
            Self.error { mmap(nil, 7, PROT_READ | PROT_WRITE, MAP_SHARED, number, 0) == MAP_FAILED ? -1 : 0 }
                == .notPermitted)
        let again = try FileDescriptor.open(FilePath("/proc/self/fd/\(number)"), flags: .readWrite)
        #expect(Self.error { write(again.rawValue, "X", 1) } == .notPermitted)
        let text = sealed.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
        #expect(text == "content")
    }

    @Test func sealingFailsWhileSomebodyCanWrite() throws {
        let file = try MemoryFile.create(name: "test")
        try Array("content".utf8).withUnsafeBytes { bytes in try file.append(bytes) }
        let writable = try #require(
            mmap(nil, 7, PROT_READ | PROT_WRITE, MAP_SHARED, file.descriptor.rawValue, 0))
        defer { munmap(writable, 7) }
        let error = #expect(throws: Errno.self) { _ = try Self.seal(file) }
        #expect(error == .resourceBusy)
    }

    @Test func onlySealedFilesAreMapped() throws {
        let file = try MemoryFile.create(name: "test")
        let copy = dup(file.descriptor.rawValue)
        #expect(throws: Errno.notPermitted) { _ = try SealedFile(adopting: FileDescriptor(adopting: copy)) }
    }

    @Test func whatIsNoMemoryFileIsRefused() throws {
        let directory = try TemporaryDirectory()
        try directory.write("content", to: "a")
        #expect(throws: Errno.invalidArgument) {
            _ = try SealedFile(adopting: FileDescriptor.open("a", flags: .readWrite, relativeTo: directory.descriptor))
        }
    }

    @Test func theBodysErrorComesThrough() throws {
        struct Refusal: Error {}
        let sealed = try Self.sealed("content")
        #expect(throws: Refusal.self) {
            try sealed.withBytes { (_) throws(Refusal) in throw Refusal() }
        }
    }

    @Test func nothingStaysOpen() async {
        await #expect(processExitsWith: .success) {
            let left = try descriptorsLeft {
                _ = try MemoryFileTests.sealed("content")
                _ = try MemoryFile.create(name: "test")
                _ = try? SealedFile(adopting: FileDescriptor.open("/dev/null", flags: .readOnly))
            }
            #expect(left == 0)
        }
    }

    static func sealed(_ text: String) throws -> SealedFile {
        let file = try MemoryFile.create(name: "test")
        try Array(text.utf8).withUnsafeBytes { bytes in try file.append(bytes) }
        return try file.seal()
    }

    /// Seals through a second descriptor of the same file.
    private static func seal(_ file: borrowing MemoryFile) throws -> SealedFile {
        try MemoryFile(adopting: FileDescriptor(adopting: dup(file.descriptor.rawValue))).seal()
    }

    private static func error(of call: () -> Int) -> Errno? {
        call() == -1 ? Errno(rawValue: errno) : nil
    }
}
