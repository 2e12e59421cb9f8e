import Glibc
import Testing

@testable import Kernel

@Suite struct MappedBytesTests {
    private static let page = 4_096

    private func fill(_ file: borrowing MemoryFile, pages: Int) throws {
        try file.descriptor.writeAll([UInt8](repeating: 7, count: pages * Self.page).span)
    }

    @Test("the bytes are the file's") func whole() throws {
        let file = try MemoryFile.create(name: "mapped")
        try fill(file, pages: 3)
        let sum = try file.descriptor.withMappedBytes(3 * Self.page) { bytes in
            bytes.indices.reduce(0) { $0 + Int(bytes[$1]) }
        }
        #expect(sum == 7 * 3 * Self.page)
    }

    @Test("an empty file has no bytes") func empty() throws {
        let file = try MemoryFile.create(name: "empty")
        let count = try file.descriptor.withMappedBytes(0) { $0.count }
        #expect(count == 0)
    }

    @Test("a file that is cut while it is read is an error, and nothing crashes", arguments: [0, 1, 5])
    func cut(kept pages: Int) throws {
        let file = try MemoryFile.create(name: "mapped")
        try fill(file, pages: 9)
        let number = file.descriptor.rawValue
        var last: UInt8?
        var error: Errno?
        do throws(Errno) {
            try file.descriptor.withMappedBytes(9 * Self.page) { bytes in
                ftruncate(number, off_t(pages * Self.page))
                last = bytes[8 * Self.page]
            }
        } catch let caught {
            error = caught
        }
        #expect(error?.rawValue == EIO && last == 0)
        // The next one starts afresh.
        let first = try file.descriptor.withMappedBytes(pages * Self.page) { $0.isEmpty ? 7 : $0[0] }
        #expect(first == 7)
    }

    @Test("a fault elsewhere ends the process as ever") func foreign() async {
        await #expect(processExitsWith: .signal(SIGBUS)) {
            let file = try MemoryFile.create(name: "foreign")
            try file.descriptor.writeAll([UInt8](repeating: 1, count: 4_096).span)
            let number = file.descriptor.rawValue
            try file.descriptor.withMappedBytes(4_096) { _ in
                let other = mmap(nil, 4_096, PROT_READ, MAP_SHARED, number, 4_096)
                print(other!.load(as: UInt8.self))
            }
        }
    }
}
