import Glibc
import Kernel

/// A directory of a test's own, removed with everything in it when the test is over.
struct TemporaryDirectory: ~Copyable {
    let path: FilePath
    let descriptor: FileDescriptor

    init() throws {
        let made = try Self.make()
        let opened = try FileDescriptor.open(made, flags: .directory)
        path = made
        descriptor = opened
    }

    private static func make() throws -> FilePath {
        var template = Array("/tmp/mediaprep-test-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw Errno(rawValue: errno) }
        return FilePath(bytes: template.dropLast().map { UInt8(bitPattern: $0) })
    }

    deinit {
        Self.removeAll(in: descriptor)
        _ = try? path.withCString { name in rmdir(name) }
    }

    func write(_ text: String, to name: FilePath) throws {
        let file = try FileDescriptor.open(name, flags: [.writeOnly, .create, .exclusive], relativeTo: descriptor)
        try file.writeAll(Array(text.utf8).span)
    }

    func read(_ name: FilePath) throws -> String {
        let file = try FileDescriptor.open(name, flags: .readOnly, relativeTo: descriptor)
        return String(decoding: try file.readAll(maximumBytes: 1 << 20), as: UTF8.self)
    }

    func makeSymbolicLink(_ name: FilePath, to target: FilePath) throws {
        try name.withCString { (name) throws(Errno) in
            try target.withCString { (target) throws(Errno) in
                if symlinkat(target, descriptor.rawValue, name) != 0 { throw Errno(rawValue: errno) }
            }
        }
    }

    func makeFIFO(_ name: FilePath) throws {
        try name.withCString { (name) throws(Errno) in
            if mkfifoat(descriptor.rawValue, name, 0o600) != 0 { throw Errno(rawValue: errno) }
        }
    }

    /// The names in it, in byte order.
    func names() throws -> [FilePath] {
        try DirectoryListing(of: descriptor).entries.map(\.name)
    }

    private static func removeAll(in directory: borrowing FileDescriptor) {
        let number = directory.rawValue
        for entry in (try? DirectoryListing(of: directory))?.entries ?? [] {
            if entry.kind == .directory, let inner = try? FileDescriptor.openBeneath(entry.name, relativeTo: directory)
            {
                removeAll(in: inner)
            }
            _ = try? entry.name.withCString { name in
                unlinkat(number, name, entry.kind == .directory ? AT_REMOVEDIR : 0)
            }
        }
    }
}
