import JobProtocol
import Kernel
import Sandbox
import Testing

/// A worker that was taken over tries what somebody might try who has its memory and its processor.
@Suite struct CaptiveTests {
    @Test func everyAttemptFails() throws {
        var table: [String] = []
        for attempt in Attempt.all {
            let confined = try Captive(attempt, .confined)
            #expect(confined.missing.isEmpty)
            #expect(confined.outcome != .succeeded, "\(attempt.name)")
            #expect(confined.outcome == attempt.whenConfined, "\(attempt.name)")

            // The same without a sandbox: what fails there as well proves nothing.
            let free = try Captive(attempt, .free).outcome
            if let expected = attempt.whenFree { #expect(free == expected, "\(attempt.name), free") }
            #expect(free != .killed(31), "\(attempt.name), free")
            let reason = attempt.unproved.map { " (\($0))" } ?? ""
            table.append("  \(padded(attempt.name, 44)) \(padded("\(confined.outcome)", 26)) free: \(free)\(reason)")
        }
        let proved = Attempt.all.count { $0.whenFree == .succeeded }
        let names = Set(Attempt.all.map(\.name))
        #expect(names.count == Attempt.all.count && names.count >= 60)
        print(table.joined(separator: "\n"))
        print("\(table.count) attempts; \(proved) of them have to succeed without a sandbox")
    }

    @Test(arguments: Attempt.needs) func whatDecodingNeedsIsLeft(_ need: Attempt) throws {
        #expect(try Captive(need, .confined).outcome == .succeeded)
        #expect(try Captive(need, .free).outcome == .succeeded)
    }

    @Test func nothingReachesStandardError() throws {
        let complaint = try #require(Attempt.needs.first { $0.name == "write to standard error" })
        #expect(try Captive(complaint, .confined).errors == "")
        #expect(try Captive(complaint, .free).errors == "captive\n")
    }

    @Test func theSupervisorTakesNoDescriptor() throws {
        let gift = try #require(Attempt.needs.first { $0.name == "send a descriptor" })
        for manner in [Captive.Manner.confined, .free] {
            let captive = try Captive(gift, manner)
            #expect(captive.said == [.failure(.messageTooLong)])
        }
    }

    @Test func aSecondThreadIsALayerLess() throws {
        let nothing = try #require(Attempt.needs.first { $0.name == "nothing" })
        let captive = try Captive(nothing, .threaded)
        #expect(captive.missing.map(\.layer) == [.landlock])
        #expect(captive.missing.first?.reason == "the process has 2 threads already")
        // The filter is synchronised with the threads that are there.
        let kill = try #require(Attempt.all.first { $0.name == "kill the parent" })
        #expect(try Captive(kill, .threaded).outcome == .killed(31))
    }

    @Test func theListOfSystemCalls() {
        let rules = SystemCallRules.rules(socket: 3, process: 2)
        let allowed = rules.filter { $0.answer == .allow }
        let free = allowed.filter(\.conditions.isEmpty).map(\.call)
        let bound = Set(allowed.filter { !$0.conditions.isEmpty }.map(\.call)).sorted()
        let refused = rules.filter { $0.answer != .allow }.map(\.call)
        print("\(free.count) system calls are allowed: \(free.sorted().joined(separator: " "))")
        print("\(bound.count) with certain arguments: \(bound.joined(separator: " "))")
        print("\(refused.count) are answered with an error: \(refused.sorted().joined(separator: " "))")
        #expect(Set(free).isDisjoint(with: bound) && Set(free).isDisjoint(with: refused))
    }

    private func padded(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(width - text.count, 0))
    }
}

extension Attempt: CustomTestStringConvertible {
    var testDescription: String { name }
}
