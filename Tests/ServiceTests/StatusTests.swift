import Configuration
import Foundation
import Glibc
import Kernel
import Testing

@testable import Service

@Suite struct StatusTests {
    static let now = UTCTime(date: Date(timeIntervalSince1970: 1_796_092_905))

    @Test("counts what lies in the directories")
    func directories() throws {
        let scratch = try StatusScratch("inbox", "work/00000000000000ab.a1", "work/strange", "outbox/.notify")
        try scratch.write(to: "inbox/new.jpg", modified: 1_796_092_900)
        try scratch.write(to: "inbox/old.jpg", modified: 1_796_092_805)
        try scratch.write(to: "inbox/tomorrow.jpg", modified: 1_796_192_805)
        try scratch.write(to: "inbox/.hidden")
        try scratch.write(to: "inbox/half.part")
        try scratch.write(to: "work/00000000000000aa.a2/first.jpg")
        try scratch.write(to: "work/00000000000000ac.crashed/poison.jpg")
        try scratch.write(to: "work/00000000000000ae.copy/half.jpg")
        try scratch.write(to: "work/00000000000000AD.a1/x")
        for name in ["a.jpg", "a.jpg.json", "b.json", "b.json.json"] { try scratch.write(to: "rejected/\(name)") }
        for name in ["1", "2", "3"] { try scratch.write(to: "outbox/.notify/\(name)") }

        let status = ServiceStatus(of: scratch.settings, at: Self.now)
        #expect((status.inbox.waiting, status.inbox.ignored, status.inbox.oldestSeconds) == (3, 2, 100))
        #expect(status.work.count == 3)
        #expect(status.work.claims.map(\.id) == ["00000000000000aa", "00000000000000ab", "00000000000000ac"])
        #expect(status.work.claims.map(\.attempts) == [2, 1, nil])
        #expect(status.work.claims.map(\.name) == ["first.jpg", nil, "poison.jpg"])
        #expect(status.rejected.count == 2)
        #expect(status.notifyPending == 3)
        #expect(status.faults == [])
        #expect(!status.isRunning)
    }

    @Test("of many claims the oldest are told")
    func manyClaims() throws {
        let scratch = try StatusScratch("inbox")
        for number in 0..<120 {
            let digits = String(number * 7 % 120, radix: 16)
            try scratch.write(to: "work/" + String(repeating: "0", count: 16 - digits.count) + digits + ".a1/x")
        }
        let work = ServiceStatus(of: scratch.settings, at: Self.now).work
        #expect((work.count, work.claims.count) == (120, 100))
        #expect(work.claims.map { Int($0.id, radix: 16) } == (0..<100).map { $0 })
    }

    @Test("an inbox or a root that is missing is a fault")
    func missing() throws {
        let scratch = try StatusScratch()
        #expect(
            ServiceStatus(of: scratch.settings, at: Self.now).faults == [
                "the inbox \(scratch.url.path)/inbox cannot be read: No such file or directory"
            ])
        var settings = scratch.settings
        settings.root = settings.root.appending("none")
        #expect(ServiceStatus(of: settings, at: Self.now).faults.count == 1)
    }

    @Test("whether the service runs is told by the lock, which is left alone")
    func lock() throws {
        let scratch = try StatusScratch("inbox")
        try scratch.write(to: "lock")
        // Not even with the state of a process that lives.
        var state = StatusStateTests.state
        state.pid = getpid()
        try state.write(in: scratch.root())
        #expect(ServiceStatus(of: scratch.settings, at: Self.now).pid == nil)
        #expect(ServiceStatus(of: scratch.settings, at: Self.now).faults == [])

        let lock = try FileDescriptor.open(FilePath(scratch.url.path + "/lock"), flags: .readWrite)
        try lock.lock(exclusive: true, nonblocking: true)
        let status = ServiceStatus(of: scratch.settings, at: Self.now)
        #expect(status.pid == getpid())
        #expect(status.faults == ["the outbox is full"])
    }

    @Test("the state of an earlier run has no faults, and yesterday's counts are not today's")
    func earlier() throws {
        let scratch = try StatusScratch("inbox")
        try scratch.write(to: "lock")
        try StatusStateTests.state.write(in: scratch.root())
        let lock = try FileDescriptor.open(FilePath(scratch.url.path + "/lock"), flags: .readWrite)
        try lock.lock(exclusive: true, nonblocking: true)
        let status = ServiceStatus(of: scratch.settings, at: Self.now)
        #expect(status.isRunning && status.faults == [])
        #expect(status.today.published == 2)
        let tomorrow = UTCTime(date: Date(timeIntervalSince1970: 1_796_092_905 + 86_400))
        #expect(ServiceStatus(of: scratch.settings, at: tomorrow).today.published == 0)
    }

    @Test(
        "lines of /proc/locks",
        arguments: [
            ("1: FLOCK  ADVISORY  WRITE 42 08:11:131 0 EOF", nil, 42),
            ("9: POSIX  ADVISORY  READ 1 08:11:131 0 EOF\n1: FLOCK  ADVISORY  WRITE 42 08:11:131 0 EOF\n", nil, 42),
            ("1: FLOCK  ADVISORY  READ 42 08:11:131 0 EOF", nil, nil),
            ("1: POSIX  ADVISORY  WRITE 42 08:11:131 0 EOF", nil, nil),
            ("1: -> FLOCK  ADVISORY  WRITE 42 08:11:131 0 EOF", nil, nil),
            ("1: FLOCK  ADVISORY  WRITE 42 08:11:132 0 EOF", 42, nil),
            ("1: FLOCK  ADVISORY  WRITE 42 00:2a:131 0 EOF", nil, nil),
            ("1: FLOCK  ADVISORY  WRITE 42 00:2a:131 0 EOF", 42, 42),
            ("1: FLOCK  ADVISORY  WRITE 42 00:2a:131 0 EOF", 43, nil),
            ("1: FLOCK ADVISORY WRITE\n\n: : :\n1: FLOCK ADVISORY WRITE x y z", 42, nil),
        ] as [(String, Int32?, Int32?)])
    func locks(_ text: String, claimed: Int32?, holder: Int32?) throws {
        var status = try FileDescriptor.status(of: "/")
        status.device = UInt64(makedev(8, 0x11))
        status.inode = 131
        #expect(RunningService.holder(of: status, claimed: claimed, in: text) == holder)
    }

    private func makedev(_ major: Int, _ minor: Int) -> Int { major << 8 | minor }

    static var full: ServiceStatus {
        var status = ServiceStatus()
        status.pid = 77
        status.state = StatusStateTests.state
        status.today = StatusStateTests.state.today
        status.inbox = .init()
        status.inbox.waiting = 12
        status.inbox.ignored = 1
        status.inbox.oldestSeconds = 5
        status.work.count = 2
        status.work.claims = [
            .init(id: "00000000000000aa", attempts: 2, name: "a\n.jpg"), .init(id: "00000000000000ab"),
        ]
        status.rejected.count = 1
        status.rejected.oldestSeconds = 86_400
        status.notifyPending = 3
        status.faults = ["the outbox is full"]
        return status
    }

    @Test("the table tells a person what there is to tell")
    func table() {
        #expect(
            Self.full.table == """
                service                       running
                pid                                77
                since            2026-12-01T02:41:45Z
                watch                         polling
                waiting                            12
                  ignored                           1
                  oldest                          5 s
                in work                             2
                published today                     2
                  reused                            1
                rejected today                      1
                  truncated                         1
                rejected kept                       1
                  oldest                      86400 s
                notify pending                      3
                notify failed                       1
                decoder crashes                     3
                not in sandbox               landlock
                in work: a\\n.jpg (attempt 2)
                in work: 00000000000000ab (crashed)
                fault: the outbox is full

                """)
    }

    @Test("the JSON tells a program the same")
    func json() throws {
        let json = Self.full.json
        #expect(json.last == UInt8(ascii: "\n") && json.count { $0 == UInt8(ascii: "\n") } == 1)
        let object = try #require(JSONSerialization.jsonObject(with: Data(json)) as? [String: Any])
        #expect(
            object.keys.sorted() == [
                "faults", "inbox", "notify_pending", "pid", "rejected", "running", "schema", "state", "today", "work",
            ])
        #expect(object["running"] as? Bool == true)
        #expect((object["inbox"] as? [String: Int]) == ["waiting": 12, "ignored": 1, "oldest_s": 5])
        let state = try #require(object["state"] as? [String: Any])
        #expect(state["started_at"] as? String == "2026-12-01T02:41:45Z")
    }
}
