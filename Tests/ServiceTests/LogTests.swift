import Configuration
import Glibc
import Kernel
import Testing

@testable import Service

@Suite struct LogTests {
    /// Both ends of a pipe, or of a pair of sockets.
    struct Ends: ~Copyable {
        let reader: FileDescriptor
        let writer: FileDescriptor

        init(pipe: Bool) throws {
            var numbers: [Int32] = [-1, -1]
            let answer =
                pipe
                ? Glibc.pipe(&numbers) : socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &numbers)
            guard answer == 0 else { throw Errno.current }
            // The log meets a reader that has gone; the default would be to die of it.
            signal(SIGPIPE, SIG_IGN)
            reader = FileDescriptor(adopting: numbers[0])
            writer = FileDescriptor(adopting: numbers[1])
        }

        /// What lies in it now.
        func text() throws -> String {
            var all: [UInt8] = []
            var chunk = [UInt8](repeating: 0, count: 1 << 16)
            while try Poll.readable([reader.rawValue], until: .now)[0] {
                let count = read(reader.rawValue, &chunk, chunk.count)
                guard count > 0 else { break }
                all += chunk[..<count]
            }
            return String(decoding: all, as: UTF8.self)
        }
    }

    @Test("a line has a time, or a priority where the journal reads it")
    func journal() throws {
        let ends = try Ends(pipe: true)
        ServiceLog(.text, descriptor: ends.writer.rawValue, journalStream: nil).write(.notice, "ready", ["jobs": 2])
        ServiceLog(.text, descriptor: ends.writer.rawValue, journalStream: "1:2").write(.error, "fault")
        let status = try ends.writer.status()
        let journal = ServiceLog(
            .text, descriptor: ends.writer.rawValue, journalStream: "\(status.device):\(status.inode)")
        journal.write(.warning, "late")
        journal.setFormat(.json)
        journal.write(.info, "stopped")
        let lines = try ends.text().split(separator: "\n")
        try #require(lines.count == 4)
        let time = #/time=20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d\.\d\d\dZ /#
        #expect(lines[0].replacing(time, with: "T ") == "T level=notice event=ready jobs=2")
        #expect(lines[1].replacing(time, with: "T ") == "T level=error event=fault")
        #expect(lines[2...] == ["<4>level=warning event=late", #"<6>{"level":"info","event":"stopped"}"#])
    }

    @Test("lines without room are dropped, counted, and told of as soon as there is room", arguments: [true, false])
    func full(pipe: Bool) throws {
        let ends = try Ends(pipe: pipe)
        let log = ServiceLog(.text, descriptor: ends.writer.rawValue, journalStream: nil)
        let message = LogValue.text(String(repeating: "x", count: 1000))
        // More than either holds.
        let written = 1000
        for _ in 0..<written { log.write(.info, "published", ["message": message]) }
        // Others who write there must not find it changed.
        #expect(fcntl(ends.writer.rawValue, F_GETFL) & O_NONBLOCK == 0)
        // A torn line, if there is one, has no end yet.
        let earlier = try ends.text()
        let lines = earlier.split(separator: "\n")
        let whole = lines.count { $0.hasSuffix(String(repeating: "x", count: 1000)) }
        #expect((1..<written).contains(whole))

        log.write(.info, "again")
        let later = try ends.text()
        // What tells of the first may have fitted where that itself did not.
        let told = (earlier + later).matches(of: #/level=warning event=log-lines-dropped lines=(\d+)\n/#)
        #expect(told.compactMap { Int($0.output.1) }.reduce(0, +) == written - whole)
        #expect(later.hasSuffix("level=info event=again\n"))
        log.write(.info, "again")
        #expect(try !ends.text().contains("dropped"))
    }

    @Test("a reader that has gone costs lines and nothing else", arguments: [true, false])
    func gone(pipe: Bool) throws {
        let writer = try Self.orphan(pipe: pipe)
        let log = ServiceLog(.json, descriptor: writer.rawValue, journalStream: nil)
        log.write(.error, "fault")
        log.write(.error, "fault")
    }

    private static func orphan(pipe: Bool) throws -> FileDescriptor {
        let ends = try Ends(pipe: pipe)
        let copy = dup(ends.writer.rawValue)
        return FileDescriptor(adopting: copy)
    }

    @Test("a descriptor that is closed costs lines and nothing else")
    func closed() {
        let log = ServiceLog(.text, descriptor: 1_000_000, journalStream: nil)
        log.write(.error, "fault")
    }

    @Test("lines of several threads do not mix")
    func threads() async throws {
        let ends = try Ends(pipe: true)
        let log = ServiceLog(.text, descriptor: ends.writer.rawValue, journalStream: "")
        await withTaskGroup { group in
            for thread in 0..<4 {
                group.addTask {
                    for number in 0..<50 {
                        log.write(.info, "published", ["a": .number(thread), "b": .number(number)])
                    }
                }
            }
        }
        let lines = try ends.text().split(separator: "\n")
        #expect(lines.count == 200)
        #expect(lines.allSatisfy { $0.wholeMatch(of: #/time=\S+ level=info event=published a=\d b=\d+/#) != nil })
    }
}
