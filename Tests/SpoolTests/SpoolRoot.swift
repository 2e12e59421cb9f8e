import Glibc
import Hashing
public import Kernel
import Testing

@testable import Spool

/// A root of a test's own, removed with everything in it, and everything mounted in it, when the test is over.
final class SpoolRoot {
    let path: FilePath
    private var mounts: [FilePath] = []

    init() throws {
        var template = Array("/tmp/mediaprep-spool-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw Errno(rawValue: errno) }
        path = FilePath(bytes: template.dropLast().map { UInt8(bitPattern: $0) })
    }

    deinit {
        for mount in mounts.reversed() {
            _ = try? mount.withCString { path in umount2(path, Int32(MNT_DETACH)) }
        }
        Self.removeAll(path)
    }

    var places: SpoolPlaces { SpoolPlaces(root: path) }

    func spool(syncs: Bool = true, longestFile: Int = longestFile) throws -> Spool {
        try Spool(places, syncs: syncs, longestFile: longestFile)
    }

    /// Mounts a file system in memory over a directory, which is made when it is missing.
    func mount(_ name: FilePath, options: String = "size=1m") throws {
        let target = path.appending(name)
        try SpoolPlaces.create(target, syncs: false)
        let result = try target.withCString { target in
            options.withCString { Glibc.mount("none", target, "tmpfs", 0, UnsafeRawPointer($0)) }
        }
        guard result == 0 else { throw Errno(rawValue: errno) }
        mounts.append(target)
    }

    /// Covers one file with another.
    func bind(_ name: FilePath, over covered: FilePath) throws {
        let target = path.appending(covered)
        let result = try path.appending(name).withCString { (name) throws(Errno) in
            try target.withCString { target in Glibc.mount(name, target, nil, UInt(MS_BIND), nil) }
        }
        guard result == 0 else { throw Errno(rawValue: errno) }
        mounts.append(target)
    }

    func remount(_ name: FilePath, options: String, readOnly: Bool = false) throws {
        let flags = UInt(MS_REMOUNT) | (readOnly ? UInt(MS_RDONLY) : 0)
        let result = try path.appending(name).withCString { target in
            options.withCString { Glibc.mount("none", target, "tmpfs", flags, UnsafeRawPointer($0)) }
        }
        guard result == 0 else { throw Errno(rawValue: errno) }
    }

    /// Writes a file, with the directories that lead to it.
    func write(_ text: String, to name: FilePath) throws {
        let whole = path.appending(name)
        try SpoolPlaces.create(whole.removingLastComponent, syncs: false)
        try FileDescriptor.open(whole, flags: [.writeOnly, .create, OpenFlags(rawValue: O_TRUNC)])
            .writeAll(Array(text.utf8).span)
    }

    func read(_ name: FilePath) -> String? {
        (try? FileDescriptor.open(path.appending(name), flags: [.noFollow, .nonBlocking]).readAll(maximumBytes: 1 << 20))
            .map { String(decoding: $0, as: UTF8.self) }
    }

    func status(_ name: FilePath) -> FileStatus? { try? FileDescriptor.status(of: path.appending(name)) }

    func makeDirectory(_ name: FilePath) throws { try SpoolPlaces.create(path.appending(name), syncs: false) }

    func remove(_ name: FilePath) throws { try FileDescriptor.unlink(path.appending(name)) }

    func rename(_ name: FilePath, to newName: FilePath) throws {
        try FileDescriptor.rename(path.appending(name), to: path.appending(newName), in: .currentDirectory)
    }

    func link(_ name: FilePath, to newName: FilePath) throws {
        try FileDescriptor.link(
            path.appending(name), in: .currentDirectory, to: path.appending(newName), in: .currentDirectory)
    }

    func make(_ kind: FileKind, _ name: FilePath) throws {
        let result = try path.appending(name).withCString { name in
            switch kind {
            case .symlink: symlink("/etc/passwd", name)
            case .fifo: mkfifo(name, 0o600)
            case .socket: mknod(name, S_IFSOCK | 0o600, 0)
            case .directory: mkdir(name, 0o700)
            case .characterDevice: mknod(name, S_IFCHR | 0o600, 0x0105)
            default: Int32(0)
            }
        }
        guard result == 0 else { throw Errno(rawValue: errno) }
        if kind == .regular { try write("regular", to: name) }
    }

    func makeSymbolicLink(_ name: FilePath, to target: FilePath) throws {
        try path.appending(name).withCString { (name) throws(Errno) in
            try target.withCString { (target) throws(Errno) in
                if symlink(target, name) != 0 { throw Errno(rawValue: errno) }
            }
        }
    }

    func candidate(_ name: FilePath) throws -> Candidate {
        Candidate(
            name: name, status: try FileDescriptor.status(of: path.appending("inbox").appending(name)))
    }

    /// Everything in the root that is not a directory, and the empty directories with a slash at their end, in order.
    /// Ids are written `ID`; what every root has is left out of a root's.
    func tree(_ name: FilePath = "") -> [String] {
        Self.paths(path.appending(name), "").map(Self.withoutIDs)
            .filter { !name.isEmpty || !Self.ordinary.contains($0) }.sorted()
    }

    private static let ordinary: Set<String> = [
        "lock", "outbox/.lock", "inbox/", "work/", "done/", "rejected/", "outbox/media/", "outbox/.tmp/",
        "outbox/.index/",
        "outbox/.notify/", "outbox/",
    ]

    private static func paths(_ path: FilePath, _ shown: String) -> [String] {
        guard let directory = try? FileDescriptor.open(path, flags: [.directory, .noFollow]),
            let entries = try? DirectoryListing(of: directory).entries
        else { return [] }
        return entries.flatMap { entry in
            let name = shown + entry.name.display
            if entry.kind != .directory { return [name] }
            let inner = paths(path.appending(entry.name), name + "/")
            return inner.isEmpty ? [name + "/"] : inner
        }
    }

    private static func withoutIDs(_ path: String) -> String {
        path.split(separator: "/", omittingEmptySubsequences: false).map { name in
            name.split(separator: ".", omittingEmptySubsequences: false)
                .map { ClaimID(FilePath(String($0))) == nil ? String($0) : "ID" }.joined(separator: ".")
        }.joined(separator: "/")
    }

    private static func removeAll(_ path: FilePath) {
        if let directory = try? FileDescriptor.open(path, flags: [.directory, .noFollow]),
            let entries = try? DirectoryListing(of: directory).entries
        {
            for entry in entries {
                if entry.kind == .directory {
                    removeAll(path.appending(entry.name))
                } else {
                    try? FileDescriptor.unlink(path.appending(entry.name))
                }
            }
        }
        try? FileDescriptor.removeDirectory(path)
    }
}

/// What tests say of an attempt, without the claim itself.
enum Answer: Equatable {
    case claimed, gone, changed
    case immovable(Errno)
}

extension Spool {
    /// Claims what has to be there to claim.
    func take(_ name: FilePath, in root: SpoolRoot) throws -> Claim {
        switch try claim(root.candidate(name)) {
        case .claimed(let claim): return claim
        case .gone: throw Unexpected()
        case .changed: throw Unexpected()
        case .immovable(let error): throw error
        }
    }

    /// Settles what has to be settled at once.
    func end(_ claim: consuming Claim, as end: ClaimEnd) throws -> SettledPlace {
        switch settle(claim, as: end) {
        case .settled(let place): return place
        case .held(let claim, let failure):
            _ = settle(claim, as: .left)
            throw failure
        }
    }

    /// Claims, and leaves it at that.
    func answer(to candidate: Candidate) throws -> Answer {
        switch try claim(candidate) {
        case .claimed(let claim):
            _ = try end(claim, as: .left)
            return .claimed
        case .gone: return .gone
        case .changed: return .changed
        case .immovable(let error): return .immovable(error)
        }
    }
}

struct Unexpected: Error {}

/// In bytes; far more than the tests write, but for those of this limit.
let longestFile = 1 << 40

extension FilePath: ExpressibleByStringInterpolation {}

func sha(_ text: String) -> String { Digest.hex(Array(text.utf8).span) }

/// Whether this process may mount, which most tests of faults need.
let canMount: Bool = {
    guard geteuid() == 0, let root = try? SpoolRoot() else { return false }
    return (try? root.mount("probe")) != nil
}()

/// Names that are legal, and that a careless service trips over.
let hostileNames: [FilePath] = [
    "a.jpg", "-rf", "...", "..a", ".hidden", " ", "a b", "a\nb", "\u{1B}[31m", "é", "e\u{301}", "a\\b", "%2e%2e", "*",
    FilePath(bytes: [0xFF, 0xFE]), FilePath(bytes: [0x80]), FilePath(String(repeating: "x", count: 255)),
    FilePath(bytes: [UInt8](repeating: 0xFF, count: 255)), FilePath(String(repeating: "ü", count: 127)),
    FilePath("x-" + String(repeating: "0123456789abcdef", count: 2)), "a.jpg.json", ".json", "media", ".tmp", ".notify",
    "0123456789abcdef.a1", "0123456789abcdef.copy", ".mediaprep-0123456789abcdef.tmp", "lock",
    FilePath(String(repeating: "j", count: 250)), FilePath(String(repeating: "k", count: 251)),
]
