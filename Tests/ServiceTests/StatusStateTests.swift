import Foundation
import Kernel
import Testing

@testable import Service

@Suite struct StatusStateTests {
    static let start = UTCTime(date: Date(timeIntervalSince1970: 1_796_092_905))

    static var state: ServiceState {
        var state = ServiceState(pid: 77, version: "0.1.0", startedAt: start)
        state.add(.published, at: start)
        state.add(.reused, at: start)
        state.add(.rejected(code: "truncated"), at: start)
        state.faults = ["the outbox is full"]
        state.missingLayers = ["landlock"]
        state.watch = .polling
        state.workers.crashes = 3
        state.notify.failed = 1
        return state
    }

    @Test("outcomes are counted for the day and since the start")
    func days() {
        var state = Self.state
        #expect((state.day, state.startedAt) == ("2026-12-01", "2026-12-01T02:41:45Z"))
        #expect((state.today.published, state.today.reused, state.today.rejected) == (2, 1, ["truncated": 1]))
        state.add(.published, at: UTCTime(date: Date(timeIntervalSince1970: 1_796_092_905 + 86_400)))
        #expect(state.day == "2026-12-02")
        #expect((state.today.published, state.today.reused, state.today.rejected) == (1, 0, [:]))
        #expect((state.total.published, state.total.reused, state.total.rejected) == (3, 1, ["truncated": 1]))
    }

    @Test("a damaged count of an earlier run counts no further than there are numbers")
    func damaged() throws {
        let scratch = try StatusScratch()
        let root = try scratch.root()
        try Self.state.write(in: root)
        let written = try String(contentsOf: scratch.url.appending(path: "state.json"), encoding: .utf8)
        try scratch.write(written.replacing(#/: [12]\b/#, with: ": \(Int.max)"), to: "state.json")
        let read = ServiceState.read(in: root)
        let earlier = try #require(read)
        #expect((earlier.today.published, earlier.today.rejected) == (.max, ["truncated": .max]))
        var state = ServiceState(pid: 1, startedAt: Self.start)
        state.continueDay(of: earlier, at: Self.start)
        for outcome in [ServiceState.Outcome.published, .reused, .rejected(code: "truncated")] {
            state.add(outcome, at: Self.start)
        }
        #expect(state.today == earlier.today)
        #expect((state.total.published, state.total.reused) == (2, 1))
    }

    @Test("what was written is read, and nothing else lies beside it")
    func roundTrip() throws {
        let scratch = try StatusScratch()
        let root = try scratch.root()
        try ServiceState(pid: 1, startedAt: Self.start).write(in: root)
        try Self.state.write(in: root)
        #expect(ServiceState.read(in: root) == Self.state)
        #expect(try DirectoryListing(of: root).entries.map(\.name) == ["state.json"])
    }

    @Test("a file that is torn, foreign or no file is no state")
    func lenient() throws {
        let scratch = try StatusScratch()
        let root = try scratch.root()
        #expect(ServiceState.read(in: root) == nil)
        try Self.state.write(in: root)
        let whole = try Data(contentsOf: scratch.url.appending(path: "state.json"))
        for length in 0..<whole.count - 2 {
            try whole.prefix(length).write(to: scratch.url.appending(path: "state.json"))
            #expect(ServiceState.read(in: root) == nil)
        }
        for foreign in ["[]", "null", "{}", "\0", #"{"schema":"mediaprep.state/1"}"#] {
            try scratch.write(foreign, to: "state.json")
            #expect(ServiceState.read(in: root) == nil)
        }
        let other = String(decoding: whole, as: UTF8.self).replacing("mediaprep.state/1", with: "mediaprep.state/2")
        try scratch.write(other, to: "state.json")
        #expect(ServiceState.read(in: root) == nil)
        try FileManager.default.removeItem(at: scratch.url.appending(path: "state.json"))
        try FileManager.default.createSymbolicLink(
            at: scratch.url.appending(path: "state.json"), withDestinationURL: URL(filePath: "/dev/zero"))
        #expect(ServiceState.read(in: root) == nil)
    }
}
