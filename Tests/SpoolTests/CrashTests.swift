import Glibc
import Kernel
import Testing

@testable import Spool

/// Threads that die with a claim in hand.
@Suite struct CrashTests {
    @Test("SIGSEGV") func segmentation() async throws {
        let root = try Self.rootWithTwo()
        let path = String(decoding: root.path.bytes, as: UTF8.self)
        await #expect(processExitsWith: .signal(SIGSEGV)) { [path = path as String] in
            try CrashTests.die(in: path) { UnsafeMutablePointer<Int>(bitPattern: 8)?.pointee = 1 }
        }
        #expect(root.tree() == Self.marked)
    }

    @Test("SIGILL or SIGTRAP, as of a Swift precondition") func trap() async throws {
        let root = try Self.rootWithTwo()
        let path = String(decoding: root.path.bytes, as: UTF8.self)
        await #expect(processExitsWith: .failure) { [path = path as String] in
            try CrashTests.die(in: path) { fatalError("on purpose") }
        }
        #expect(root.tree() == Self.marked)
    }

    @Test("SIGABRT") func abortion() async throws {
        let root = try Self.rootWithTwo()
        let path = String(decoding: root.path.bytes, as: UTF8.self)
        await #expect(processExitsWith: .signal(SIGABRT)) { [path = path as String] in
            try CrashTests.die(in: path) { abort() }
        }
        #expect(root.tree() == Self.marked)
    }

    @Test("a stack that overflows") func overflow() async throws {
        let root = try Self.rootWithTwo()
        let path = String(decoding: root.path.bytes, as: UTF8.self)
        await #expect(processExitsWith: .signal(SIGSEGV)) { [path = path as String] in
            try CrashTests.die(in: path) { print(CrashTests.recurse(1)) }
        }
        #expect(root.tree() == Self.marked)
    }

    @Test("a thread that has given its claim away is not blamed for it") func handedOver() async throws {
        let root = try Self.rootWithTwo()
        let path = String(decoding: root.path.bytes, as: UTF8.self)
        await #expect(processExitsWith: .signal(SIGABRT)) { [path = path as String] in
            try CrashTests.die(in: path, givesAway: true) { abort() }
        }
        #expect(root.tree() == ["work/ID.a1/mine", "work/ID.a1/other"])
    }

    @Test("an ended claim is not marked, nor one that is settled meanwhile") func settled() async throws {
        let root = try Self.rootWithTwo()
        let path = String(decoding: root.path.bytes, as: UTF8.self)
        await #expect(processExitsWith: .signal(SIGABRT)) { [path = path as String] in
            let spool = try Spool(SpoolPlaces(root: FilePath(path)), syncs: true, longestFile: longestFile)
            let status = try FileDescriptor.status(of: spool.places.inbox.appending("mine"))
            guard case .claimed(let claim) = try spool.claim(Candidate(name: "mine", status: status)) else {
                throw Unexpected()
            }
            _ = try spool.end(claim, as: .left)
            abort()
        }
        #expect(root.tree() == ["inbox/other", "work/ID.a0/mine"])
    }

    @Test("what crashed is found as crashed") func recovery() throws {
        let root = try SpoolRoot()
        try root.write("mine", to: "work/0123456789abcdef.crashed/mine")
        let spool = try root.spool()
        guard let entry = try spool.recover().claims.first, let claim = try spool.resume(entry) else {
            throw Unexpected()
        }
        #expect(entry.hasCrashed)
        #expect(claim.attempts == 3)
        guard case .work(let again) = try spool.end(claim, as: .left), let claim = try spool.resume(again) else {
            throw Unexpected()
        }
        #expect(again.attempts == 2, "still one that is not tried again")
        #expect(try spool.end(claim, as: .rejected(manifest: [1], digest: nil)) == .rejected("mine"))
    }

    static let marked = ["work/ID.a1/other", "work/ID.crashed/mine"]

    static func rootWithTwo() throws -> SpoolRoot {
        // The crash is wanted: nobody need look for its cause.
        setenv("SWIFT_BACKTRACE", "enable=no", 1)
        let root = try SpoolRoot()
        try root.write("mine", to: "inbox/mine")
        try root.write("other", to: "inbox/other")
        return root
    }

    /// This thread has `other` in hand. Another takes over `mine` and dies, having given it back before where asked to.
    static func die(in root: String, givesAway: Bool = false, _ crash: @escaping @Sendable () -> Void) throws {
        var limit = rlimit(rlim_cur: 0, rlim_max: 0)
        setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &limit)
        let spool = try Spool(SpoolPlaces(root: FilePath(root)), syncs: true, longestFile: longestFile)
        guard let other = take("other", spool), let claim = take("mine", spool) else { exit(1) }
        let mine = Handed(claim)
        let isTaken = try StopFlag()
        let mayDie = try StopFlag()
        let thread = try SystemThread.start {
            mine.claim.takeInHand()
            isTaken.set()
            _ = try? Poll.readable([mayDie.descriptor.rawValue], until: .now.advanced(by: .seconds(20)))
            crash()
        }
        _ = try Poll.readable([isTaken.descriptor.rawValue], until: .now.advanced(by: .seconds(20)))
        if givesAway { mine.claim.takeInHand() }
        mayDie.set()
        thread.join()
        _ = spool.settle(other, as: .left)
    }

    /// A claim for several threads.
    final class Handed: Sendable {
        let claim: Claim

        init(_ claim: consuming Claim) { self.claim = claim }
    }

    static func take(_ name: FilePath, _ spool: Spool) -> Claim? {
        guard let status = try? FileDescriptor.status(of: spool.places.inbox.appending(name)),
            case .claimed(let claim) = try? spool.claim(Candidate(name: name, status: status))
        else { return nil }
        return claim
    }

    @inline(never) static func recurse(_ depth: Int) -> Int {
        withUnsafeTemporaryAllocation(of: Int.self, capacity: 64) { buffer in
            buffer.initialize(repeating: depth)
            return recurse(buffer[depth % 64] + 1) + buffer[0]
        }
    }
}
