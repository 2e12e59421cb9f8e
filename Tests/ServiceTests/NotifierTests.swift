import Configuration
import Foundation
import Kernel
import Testing

@testable import Service
@testable import Spool

/// A notifier with a spool of its own, whose turns are taken one by one.
private final class NotifierBench {
    let scratch: StatusScratch
    let spool: Spool
    let log: ServiceLog
    let notifier: Notifier
    var settings = ServeSettings()
    private let lines: FileDescriptor

    init() throws {
        scratch = try StatusScratch()
        spool = try Spool(SpoolPlaces(root: FilePath(scratch.url.path)), syncs: false, longestFile: 64 << 20)
        lines = try FileDescriptor.open(
            FilePath(scratch.url.appending(path: "log").path), flags: [.readWrite, .create], mode: 0o600)
        log = ServiceLog(.text, descriptor: lines.rawValue, journalStream: nil)
        notifier = try Notifier(
            spool: spool, log: log, tally: Tally(root: FilePath(scratch.url.path)), stop: StopFlag(),
            abandon: StopFlag())
        settings.notifyAttempts = 1
    }

    static func id(_ number: Int) -> ClaimID { ClaimID(value: UInt64(number)) }

    /// Has the notifier run a shell's script, with `$0` for the root.
    func run(_ script: String) {
        settings.notifyCommand = ["/bin/sh", "-c", script, scratch.url.path]
    }

    func addNotice(_ number: Int) throws {
        try scratch.write("\(number)\n", to: "outbox/.notify/\(Self.id(number))")
    }

    func hasNotice(_ number: Int) -> Bool {
        FileManager.default.fileExists(atPath: scratch.url.appending(path: "outbox/.notify/\(Self.id(number))").path)
    }

    /// Puts a file in the place of the directory of notices.
    func hideNotices() throws {
        let notices = scratch.url.appending(path: "outbox/.notify")
        try FileManager.default.moveItem(at: notices, to: scratch.url.appending(path: "away"))
        try scratch.write(to: "outbox/.notify")
    }

    func showNotices() throws {
        let notices = scratch.url.appending(path: "outbox/.notify")
        try FileManager.default.removeItem(at: notices)
        try FileManager.default.moveItem(at: scratch.url.appending(path: "away"), to: notices)
    }

    func tellNext(after seconds: Int = 0) -> Bool {
        notifier.tellNext(by: settings, at: .now.advanced(by: .seconds(seconds)))
    }

    /// What the program was given so far.
    var told: String { text("told") }

    /// Whether the log has these events and no others.
    func hasLogged(_ events: String...) -> Bool {
        let logged = text("log").split(separator: "\n").compactMap { line in
            line.split(separator: " ").first { $0.hasPrefix("event=") }.map { String($0.dropFirst(6)) }
        }
        return logged == events
    }

    func text(_ name: String) -> String {
        (try? String(contentsOf: scratch.url.appending(path: name), encoding: .utf8)) ?? ""
    }
}

@Suite struct NotifierTests {
    private let bench: NotifierBench

    init() throws {
        bench = try NotifierBench()
        bench.run("cat >> \"$0/told\"")
    }

    @Test("what is on the disk is not told while it is being published")
    func expected() throws {
        for number in 1...2 {
            bench.notifier.expect(NotifierBench.id(number))
            try bench.addNotice(number)
        }
        #expect(!bench.tellNext(after: 1_000))
        bench.notifier.tell(NotifierBench.id(1))
        #expect(bench.tellNext())
        #expect(!bench.tellNext(after: 1_000))
        #expect(bench.told == "1\n")

        #expect(bench.notifier.retract(NotifierBench.id(2)))
        #expect(!bench.hasNotice(2) && !bench.tellNext(after: 1_000))
        try bench.addNotice(3)
        #expect(bench.notifier.retract(NotifierBench.id(3)) && bench.hasNotice(3), "nobody expected it")
    }

    @Test("what cannot be taken off the disk is not told for that")
    func cannotRetract() throws {
        bench.notifier.expect(NotifierBench.id(1))
        try bench.addNotice(1)
        try bench.hideNotices()
        #expect(!bench.notifier.retract(NotifierBench.id(1)))
        try bench.showNotices()
        #expect(!bench.tellNext(after: 1_000))
        #expect(bench.notifier.retract(NotifierBench.id(1)) && !bench.hasNotice(1))
    }

    @Test("a claim whose notice cannot be taken back stays in work, and the next start takes the notice back")
    func giveBack() async {
        await #expect(processExitsWith: .success) {
            let bench = try NotifierBench()
            try bench.scratch.write("original", to: "inbox/a.jpg")
            let candidate = Candidate(
                name: "a.jpg",
                status: try FileDescriptor.status(of: FilePath(bench.scratch.url.path).appending("inbox/a.jpg")))
            let signals = try ServiceSignals()
            let service = try ServeContext(
                spool: bench.spool, recovery: bench.spool.recover(),
                stalls: Stalls(log: bench.log), signals: signals, log: bench.log,
                workerPath: "/nowhere", settings: bench.scratch.settings)
            guard case .claimed(let claim) = try bench.spool.claim(candidate) else { throw Errno.invalidArgument }
            service.notifier.expect(claim.id)
            try bench.scratch.write("false", to: "outbox/.notify/\(claim.id)")
            try bench.hideNotices()
            service.giveBack(claim)
            try bench.showNotices()
            let claims = try bench.spool.recover().claims.map(\.name)
            #expect(claims == ["a.jpg"])
            let notices = try bench.spool.notices(atMost: 1)
            #expect(notices.isEmpty)
        }
    }

    @Test("what was told but cannot be taken off the disk is not told again")
    func onlyRemoval() throws {
        bench.run("cd \"$0\"; cat >> told; mv outbox/.notify away; : > outbox/.notify")
        try bench.addNotice(1)
        #expect(bench.tellNext())
        #expect(bench.tellNext(after: 1_000))
        #expect(bench.notifier.pending == 0 && bench.told == "1\n")
        #expect(bench.hasLogged("notified", "notify-waits"))
        try bench.showNotices()
        bench.settings.notifyCommand = []
        #expect(bench.hasNotice(1) && bench.tellNext(after: 2_000))
        #expect(!bench.hasNotice(1) && !bench.tellNext(after: 9_000))
        #expect(bench.told == "1\n")
    }

    @Test("a shortage uses up no attempt")
    func shortage() async {
        await #expect(processExitsWith: .success) {
            let bench = try NotifierBench()
            bench.run("exit 3")
            try bench.addNotice(1)
            bench.notifier.tell(NotifierBench.id(1))
            let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
            var limit = rlimit()
            getrlimit(resource, &limit)
            var none = rlimit(rlim_cur: 0, rlim_max: limit.rlim_max)
            setrlimit(resource, &none)
            let isTried = [bench.tellNext(), bench.tellNext(after: 1_000), bench.tellNext(after: 2_000)]
            setrlimit(resource, &limit)
            #expect(isTried == [true, true, true])
            #expect(bench.hasLogged("notify-waits") && bench.text("log").contains("Too many open files"))
            #expect(bench.hasNotice(1) && bench.notifier.pending == 1)
            let isRun = bench.tellNext(after: 3_000)
            #expect(isRun && bench.hasLogged("notify-waits", "notify-given-up"))
            #expect(bench.text("log").contains("attempt=1") && !bench.hasNotice(1))
        }
    }

    @Test("a program that cannot be run uses up attempts, and the log says which")
    func missingProgram() throws {
        bench.settings.notifyCommand = ["/nowhere/at/all"]
        bench.settings.notifyAttempts = 2
        try bench.addNotice(1)
        #expect(bench.tellNext() && bench.tellNext(after: 1_000))
        #expect(bench.hasLogged("notify-failed", "notify-given-up") && !bench.hasNotice(1))
        #expect(bench.text("log").contains("/nowhere/at/all cannot be run: No such file or directory"))
    }

    @Test("without a command what waits goes on waiting, until there is one")
    func noCommand() throws {
        let command = bench.settings.notifyCommand
        bench.settings.notifyCommand = []
        try bench.addNotice(1)
        #expect(!bench.tellNext() && !bench.tellNext(after: 1_000))
        #expect(bench.hasNotice(1) && bench.notifier.pending == 1)
        bench.settings.notifyCommand = command
        #expect(bench.tellNext() && bench.told == "1\n" && !bench.hasNotice(1))
    }

    @Test("whoever takes a notice wakes another thread for the next")
    func wakes() throws {
        func isAwake() throws -> Bool {
            defer { bench.notifier.wake.reset() }
            return try Poll.readable([bench.notifier.wake.descriptor.rawValue], until: .now)[0]
        }
        #expect(!bench.tellNext())
        for number in 1...2 {
            try bench.addNotice(number)
            bench.notifier.tell(NotifierBench.id(number))
        }
        #expect(try isAwake())
        #expect(bench.tellNext())
        #expect(try isAwake())
        #expect(bench.tellNext())
        #expect(try !isAwake())
    }
}
