import Glibc
import Kernel
import Testing

@testable import Spool

/// Directories in the inbox: taken when they are whole, with all that is to come into them.
@Suite struct ArrivalsDirectoryTests {
    let inbox: ArrivalsInbox

    init() throws {
        inbox = try ArrivalsInbox()
    }

    private func makeDirectory(_ name: FilePath = "push") throws {
        try inbox.make(name) { mkdir($0, 0o700) }
    }

    /// Whether the directory is handed out now.
    private func isTaken() -> Bool {
        inbox.pass(.zero)
        return inbox.taken() == ["push"]
    }

    @Test("one that is renamed in is taken at once")
    func renamed() throws {
        let outside = inbox.root.appending("outside")
        try FileDescriptor.makeDirectory(outside)
        try FileDescriptor.open(outside.appending("a.jpg.part"), flags: [.writeOnly, .create]).close()
        try inbox.rename(outside, to: inbox.path.appending("push"))
        #expect(isTaken())
    }

    @Test("one that is renamed in while somebody writes to a file in it waits for the last close")
    func renamedWhileWritten() throws {
        let outside = inbox.root.appending("outside")
        try FileDescriptor.makeDirectory(outside)
        let file = try FileDescriptor.open(outside.appending("a.jpg"), flags: [.writeOnly, .create])
        try inbox.rename(outside, to: inbox.path.appending("push"))
        #expect(!isTaken())
        inbox.pass(.seconds(100))
        #expect(!isTaken())
        try file.close()
        inbox.pass(.seconds(1))
        #expect(isTaken())
    }

    /// How long it takes until the directory is handed out, in steps of a tenth of a second; nil for half a minute.
    private func timeUntilTaken() -> Duration? {
        for step in 0..<300 {
            if isTaken() { return .milliseconds(100) * step }
            inbox.pass(.milliseconds(100))
        }
        return nil
    }

    struct Step: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let take: @Sendable (ArrivalsInbox) throws -> Void
    }

    static let steps = [
        Step(testDescription: "a file comes") { try $0.copy("push/b.jpg") },
        Step(testDescription: "a file is renamed in") { try $0.renameIn("push/b.jpg") },
        Step(testDescription: "a file goes") { try $0.remove("push/a.jpg") },
        Step(testDescription: "a file grows") { inbox in
            let file = try inbox.open("push/a.jpg", flags: [.writeOnly, OpenFlags(rawValue: O_APPEND)])
            try file.writeAll([1].span)
        },
        Step(testDescription: "a file has another time") { try $0.setModified("push/a.jpg", seconds: 1) },
        Step(testDescription: "a file is replaced by one of the same length and time") { inbox in
            try inbox.copy("push/new")
            try inbox.setModified("push/new", seconds: 1)
            try inbox.rename(inbox.path.appending("push/new"), to: inbox.path.appending("push/a.jpg"))
        },
        Step(testDescription: "a directory comes") { try $0.make("push/inner") { mkdir($0, 0o700) } },
    ]

    @Test("one made in place is taken when nothing in it has changed for two seconds", arguments: steps)
    func inPlace(_ step: Step) throws {
        try makeDirectory()
        #expect(!isTaken())
        try inbox.copy("push/a.jpg")
        try inbox.setModified("push/a.jpg", seconds: 1)
        for number in 0..<10 {
            inbox.pass(.milliseconds(1900))
            #expect(!isTaken())
            try inbox.copy("push/\(number)")
        }
        try step.take(inbox)
        let time = try #require(timeUntilTaken())
        // Seen at the next look, and quiet from then on.
        #expect(time >= .seconds(2) && time <= .seconds(4))
    }

    @Test("one with a file that is being written waits as long as that takes")
    func writer() throws {
        try makeDirectory()
        let file = try inbox.open("push/a.jpg")
        for _ in 0..<50 {
            inbox.pass(.seconds(3))
            #expect(!isTaken())
        }
        try file.close()
        let time = try #require(timeUntilTaken())
        #expect(time >= .seconds(2) && time <= .seconds(3))
    }

    @Test(
        "an empty one, or one with a part of a file, has half a minute", arguments: ["", "a.jpg.part", ".a.jpg.Xy12Zq"])
    func unfinished(_ name: String) throws {
        try makeDirectory()
        if !name.isEmpty { try inbox.copy(FilePath("push/\(name)")) }
        #expect(!isTaken())
        inbox.pass(.milliseconds(29_999))
        #expect(!isTaken())
        inbox.pass(.milliseconds(1))
        #expect(isTaken())
    }

    @Test(
        "what a system puts into every directory is no sign of a part",
        arguments: [".DS_Store", "._a.jpg", "Thumbs.db"])
    func litter(_ name: String) throws {
        try makeDirectory()
        try inbox.copy("push/a.jpg")
        try inbox.copy(FilePath("push/\(name)"))
        #expect(!isTaken())
        inbox.pass(.seconds(2))
        #expect(isTaken())
    }

    @Test("one below the name of a part is left alone")
    func ignored() throws {
        try makeDirectory("push.part")
        try inbox.copy("push.part/a.jpg")
        inbox.pass(.seconds(100))
        #expect(inbox.taken() == [])
    }

    @Test("without events it is found by looking, and settles from then on")
    func polled() throws {
        let inbox = try ArrivalsInbox(
            ArrivalSettings(poll: .seconds(2), watchesEvents: false, ignored: ArrivalsInbox.ignored))
        try inbox.make("push") { mkdir($0, 0o700) }
        try inbox.copy("push/a.jpg")
        inbox.pass(.seconds(2))
        #expect(inbox.taken() == [])
        inbox.pass(.seconds(2))
        #expect(inbox.taken() == ["push"])
    }
}
