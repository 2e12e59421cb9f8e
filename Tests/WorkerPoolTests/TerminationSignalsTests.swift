import Glibc
import JobProtocol
import Kernel
import Testing

/// In a program of its own: a process that runs tests has threads which do not block the signals.
@Suite struct TerminationSignalsTests {
    @Test func signalsArriveAsCallsAndNotAsTheEnd() throws {
        let installation = try Installation("redirects-signals")
        let pair = try MessageSocket.pair()
        let near = pair.near
        let process = try ChildProcess.spawn(
            executable: installation.executable, arguments: [], environment: [], inheriting: pair.far)
        #expect(try Self.message(from: near) == JobCoding.encode(WorkerGreeting()))
        for signal in [SIGTERM, SIGINT, SIGTERM] {
            kill(process.pid, signal)
            #expect(try Self.message(from: near) == [UInt8(signal)])
        }
        // Still there, and a write to nobody would not be its end.
        kill(process.pid, SIGPIPE)
        kill(process.pid, SIGINT)
        #expect(try Self.message(from: near) == [UInt8(SIGINT)])
    }

    private static func message(from socket: borrowing MessageSocket) throws -> [UInt8]? {
        try socket.receive(maximumBytes: 1000, maximumDescriptors: 0)?.bytes
    }
}
