import CLinux
import Glibc

/// A process that forks itself whenever it is told to: what it has initialised, its children need not.
///
/// Belongs to the thread that made it, and that thread has to outlive it: a child that asks to die with its parent
/// (PR_SET_PDEATHSIG) dies with the *thread* that spawned it.
public final class ForkServer {
    private var process: ChildProcess
    /// Carries the program's own greeting first, and from then on forks and ends.
    public let socket: MessageSocket

    /// Spawns the program, which is to call `serve` when it is ready.
    public init(executable: FilePath, arguments: [String], environment: [String]) throws(Errno) {
        let pair = try MessageSocket.pair()
        process = try ChildProcess.spawn(
            executable: executable, arguments: arguments, environment: environment, inheriting: pair.far)
        socket = pair.near
    }

    public var pid: Int32 { process.pid }

    /// The number of a pidfd, which becomes readable when the server has ended.
    public var processDescriptor: Int32 { process.processDescriptor.rawValue }

    /// Forks a child that has a copy of `far` in place of the server's own socket.
    ///
    /// ETIMEDOUT when the server has not answered by `deadline`, which is its end; EPIPE or ECONNRESET when it is gone;
    /// EAGAIN or ENOMEM when the kernel gives no more processes, EMFILE when this one may hold no more descriptors.
    public func fork(
        passing far: borrowing MessageSocket, until deadline: MonotonicInstant
    ) throws(Errno) -> ForkedProcess {
        var answer = try ask(
            linux_fork_request(pid: 0), descriptors: [far.descriptor.rawValue], until: deadline)
        guard let descriptor = answer.descriptors.takeFirst() else { throw .brokenPipe }
        return ForkedProcess(pid: answer.reply.pid, processDescriptor: descriptor, server: self)
    }

    /// Waits for a child's end and for how it came about.
    func reap(_ pid: Int32, until deadline: MonotonicInstant) throws(Errno) -> ForkedProcess.End {
        let reply = try ask(linux_fork_request(pid: pid), descriptors: [], until: deadline).reply
        return ForkedProcess.End(
            status: ExitStatus(waitStatus: reply.status), peakBytes: Int(reply.peak_kib) << 10)
    }

    /// Kills the server and waits for its end.
    public func end() -> ExitStatus {
        process.killGroup(signal: SIGKILL)
        return process.wait()
    }

    private struct Answer: ~Copyable {
        var reply: linux_fork_reply
        var descriptors: ReceivedDescriptors
    }

    private func ask(
        _ request: linux_fork_request, descriptors: [Int32], until deadline: MonotonicInstant
    ) throws(Errno) -> Answer {
        try socket.send(withUnsafeBytes(of: request) { Array($0) }, descriptors: descriptors)
        let ready = try Poll.readable([socket.descriptor.rawValue, processDescriptor], until: deadline)
        guard ready.contains(true) else {
            // Its answer, should it come after all, would be taken for the next one's.
            process.killGroup(signal: SIGKILL)
            throw .timedOut
        }
        guard ready[0], let message = try receive(), message.bytes.count == MemoryLayout<linux_fork_reply>.size
        else { throw .brokenPipe }
        let reply = message.bytes.withUnsafeBytes { $0.loadUnaligned(as: linux_fork_reply.self) }
        guard reply.error == 0 else { throw Errno(rawValue: reply.error) }
        return Answer(reply: reply, descriptors: message.descriptors)
    }
}

extension ForkServer {
    private func receive() throws(Errno) -> MessageSocket.Message? {
        do throws(Errno) {
            return try socket.receive(maximumBytes: MemoryLayout<linux_fork_reply>.size, maximumDescriptors: 1)
        } catch .messageTooLong {
            // Every reply has the same length; what was cut off is the descriptor, for which there was no place here.
            throw .tooManyOpenFiles
        }
    }

    /// The server's side: forks whenever the other end of the socket asks for it.
    ///
    /// - Parameter socket: the number of the server's descriptor, which is the child's own socket in the child.
    /// - Returns: true in each child; false in the server when the other end was closed.
    public static func serve(on socket: Int32) throws(Errno) -> Bool {
        if linux_fork_server(socket) == 0 { return true }
        let error = Errno.current
        if error.rawValue == 0 || error == .connectionReset || error == .brokenPipe { return false }
        throw error
    }
}
