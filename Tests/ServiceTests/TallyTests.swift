import AttachmentRules
import Foundation
import JobProtocol
import Kernel
import Testing
import WorkerPool

@testable import Service

@Suite struct TallyTests {
    let scratch: StatusScratch
    /// Nothing is written before it.
    let start: MonotonicInstant

    init() throws {
        scratch = try StatusScratch()
        // Later than the begin of every tally of these tests.
        start = .now.advanced(by: .seconds(3_600))
    }

    var path: FilePath { FilePath(scratch.url.path) }
    var file: URL { scratch.url.appending(path: "state.json") }

    func state() throws -> ServiceState {
        let root = try scratch.root()
        let state = ServiceState.read(in: root)
        return try #require(state)
    }

    static func manifest(_ rejection: Rejection.Code? = nil) -> Manifest {
        var manifest = Manifest(
            name: "a", status: rejection == nil ? .published : .rejected, recipe: "r",
            createdAt: "2026-12-01T02:41:45Z", source: Manifest.Source(name: "a", path: "a"))
        manifest.rejection = rejection.map { Rejection($0, rule: .notAFile, stage: .intake, "It is none.") }
        return manifest
    }

    @Test("outcomes are counted by what they are, for the day and since the start")
    func outcomes() throws {
        let tally = Tally(root: path)
        for _ in 0..<3 { tally.count(Self.manifest(), isReused: false) }
        tally.count(Self.manifest(), isReused: true)
        for _ in 0..<2 { tally.count(Self.manifest(.empty), isReused: false) }
        tally.count(Self.manifest(.crashed), isReused: false)
        tally.countUntold()
        tally.tell(watch: .polling)
        tally.write(at: start, faults: ["full", "gone"], pending: 5)
        let state = try state()
        #expect((state.total.published, state.total.reused) == (4, 1))
        #expect(state.total.rejected == ["empty": 2, "crashed": 1])
        #expect((state.notify.failed, state.notify.pending) == (1, 5))
        #expect(state.faults == ["full", "gone"])
        #expect(state.watch == .polling)
        #expect(state.pid == getpid())
    }

    @Test("what the service before counted today is counted on, and the total begins anew")
    func sameDay() throws {
        var earlier = ServiceState(pid: 1, startedAt: .now)
        earlier.add(.published, at: .now)
        earlier.add(.rejected(code: "empty"), at: .now)
        earlier.faults = ["full"]
        try earlier.write(in: scratch.root())
        let tally = Tally(root: path)
        tally.count(Self.manifest(), isReused: false)
        tally.write(at: start, faults: [], pending: 0)
        let state = try state()
        // Unless midnight has come between the two.
        let isSameDay = state.day == earlier.day
        #expect(state.today.published == (isSameDay ? 2 : 1))
        #expect(state.today.rejected == (isSameDay ? ["empty": 1] : [:]))
        #expect((state.total.published, state.total.rejected) == (1, [:]))
        #expect(state.faults == [])
    }

    @Test("what was counted on another day is over")
    func otherDay() throws {
        var earlier = ServiceState(pid: 1, startedAt: UTCTime(date: Date(timeIntervalSince1970: 0)))
        earlier.add(.published, at: UTCTime(date: Date(timeIntervalSince1970: 0)))
        try earlier.write(in: scratch.root())
        Tally(root: path).write(at: start, faults: [], pending: 0)
        #expect(try state().today.published == 0)
        #expect(try state().day != "1970-01-01")
    }

    @Test("a file that is no state of ours is nothing to count on")
    func foreign() throws {
        try scratch.write("{}", to: "state.json")
        Tally(root: path).write(at: start, faults: [], pending: 0)
        #expect(try state().total.published == 0)
    }

    @Test("the file is written when it is out of date, and at most once a second")
    func deadline() throws {
        let tally = Tally(root: path)
        #expect(tally.deadline.map { $0 <= .now } == true, "it is to be written at once")
        tally.write(at: start, faults: [], pending: 0)
        #expect(tally.deadline == nil)
        #expect(try state().total.published == 0)

        tally.count(Self.manifest(), isReused: false)
        #expect(tally.deadline == start.advanced(by: .seconds(1)))
        tally.write(at: start.advanced(by: .milliseconds(999)), faults: [], pending: 0)
        #expect(try state().total.published == 0, "that is too soon")
        #expect(tally.deadline == start.advanced(by: .seconds(1)))
        tally.write(at: start.advanced(by: .seconds(1)), faults: [], pending: 0)
        #expect(try state().total.published == 1)
        #expect(tally.deadline == nil)

        tally.count(Self.manifest(), isReused: false)
        tally.write(at: start.advanced(by: .seconds(1)), faults: [], pending: 0, always: true)
        #expect(try state().total.published == 2, "at the end it is always written")
    }

    @Test(
        "the file follows what stalls and what waits, and is left alone where nothing is new",
        arguments: [(["full"], 0), ([], 3), (["full"], 3)])
    func faults(sentences: [String], pending: Int) throws {
        let tally = Tally(root: path)
        tally.write(at: start, faults: [], pending: 0)
        tally.write(at: start.advanced(by: .milliseconds(1)), faults: sentences, pending: pending)
        #expect(tally.deadline == start.advanced(by: .seconds(1)), "it is out of date, and the time has not come")
        let next = start.advanced(by: .seconds(2))
        tally.write(at: next, faults: sentences, pending: pending)
        #expect(try state().faults == sentences)
        #expect(try state().notify.pending == pending)
        #expect(tally.deadline == nil)

        try FileManager.default.removeItem(at: file)
        tally.write(at: next.advanced(by: .seconds(60)), faults: sentences, pending: pending, always: true)
        #expect(!FileManager.default.fileExists(atPath: file.path), "nothing is new")
        tally.write(at: next.advanced(by: .seconds(60)), faults: [], pending: 0)
        #expect(try state().faults == [])
    }

    /// What makes the root one that cannot be written to, and what puts that right.
    enum Obstacle: CaseIterable {
        case rootMissing, rootIsFile, nameTaken, temporaryNameTaken
    }

    @Test("what could not be written is tried again, a second later", arguments: Obstacle.allCases)
    func unwritable(_ obstacle: Obstacle) throws {
        let root = scratch.url.appending(path: "root")
        let taken =
            switch obstacle {
            case .rootMissing, .rootIsFile: root
            case .nameTaken: root.appending(path: "state.json")
            case .temporaryNameTaken: root.appending(path: ".state.json.new")
            }
        switch obstacle {
        case .rootMissing: break
        case .rootIsFile: try scratch.write("", to: "root")
        case .nameTaken, .temporaryNameTaken: try scratch.write("", to: "root/\(taken.lastPathComponent)/file")
        }
        let tally = Tally(root: FilePath(root.path))
        tally.count(Self.manifest(), isReused: false)
        tally.write(at: start, faults: [], pending: 0)
        #expect(tally.deadline == start.advanced(by: .seconds(1)))

        if obstacle != .rootMissing { try FileManager.default.removeItem(at: taken) }
        try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
        tally.write(at: start.advanced(by: .seconds(1)), faults: [], pending: 0)
        #expect(tally.deadline == nil)
        let directory = try FileDescriptor.open(FilePath(root.path), flags: .directory)
        #expect(ServiceState.read(in: directory)?.total.published == 1)
    }

    @Test("what became of workers is summed over lanes, and over lanes that began anew")
    func workers() throws {
        let tally = Tally(root: path)
        var counts = WorkerCounts()
        (counts.crashes, counts.timeouts, counts.lies) = (1, 2, 3)
        _ = tally.tell(counts, missing: [], lane: 0)
        // What a lane says is all of its own so far, not news.
        _ = tally.tell(counts, missing: [], lane: 0)
        _ = tally.tell(counts, missing: [], lane: 1)
        tally.retire(lane: 0)
        tally.retire(lane: 0)
        counts.crashes = 10
        _ = tally.tell(counts, missing: [], lane: 0)
        tally.write(at: start, faults: [], pending: 0)
        let workers = try state().workers
        #expect((workers.crashes, workers.timeouts, workers.lies) == (12, 6, 9))

        _ = tally.tell(counts, missing: [], lane: 0)
        #expect(tally.deadline == nil, "that is nothing new")
        counts.lies = 4
        _ = tally.tell(counts, missing: [], lane: 0)
        #expect(tally.deadline != nil)
    }

    @Test("a missing layer of the sandbox is news once")
    func layers() throws {
        let tally = Tally(root: path)
        let landlock = MissingLayer(.landlock, reason: "Function not implemented")
        let seccomp = MissingLayer(.seccomp, reason: "Invalid argument")
        #expect(tally.tell(WorkerCounts(), missing: [], lane: 0) == [])
        #expect(tally.tell(WorkerCounts(), missing: [landlock], lane: 0) == [landlock])
        #expect(tally.tell(WorkerCounts(), missing: [landlock], lane: 1) == [])
        #expect(tally.tell(WorkerCounts(), missing: [landlock, seccomp], lane: 1) == [seccomp])
        tally.write(at: start, faults: [], pending: 0)
        #expect(try state().missingLayers == ["landlock", "seccomp"])
    }
}
