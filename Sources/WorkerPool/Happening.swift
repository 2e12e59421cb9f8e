import JobProtocol
import Kernel

/// What happens first at the other end of a socket.
enum Happening {
    case message([UInt8])
    case tooLong
    case ended
    /// It ended with something in its socket that it had not read.
    case endedUnserved
    case deadline
    case stopped

    /// Waits for a message, the end of the process, `deadline` or `stop`.
    ///
    /// - Parameter process: the number of the process's pidfd.
    static func next(
        on socket: borrowing MessageSocket, of process: Int32, until deadline: MonotonicInstant, stop: StopFlag?
    ) throws(Errno) -> Happening {
        let socketNumber = socket.descriptor.rawValue
        let stopNumbers = stop.map { [$0.descriptor.rawValue] } ?? []
        let ready = try Poll.readable([socketNumber, process] + stopNumbers, until: deadline)
        // A process that has ended may have answered just before; its socket is asked again for that.
        let hasMessage = ready[1] ? try Poll.readable([socketNumber], until: .now)[0] : ready[0]
        if hasMessage {
            do throws(Errno) {
                let limit = JobCoding.maximumReplyBytes
                if let message = try socket.receive(maximumBytes: limit, maximumDescriptors: 0) {
                    return .message(message.bytes)
                }
            } catch .messageTooLong {
                return .tooLong
            } catch .connectionReset {
                return .endedUnserved
            }
        }
        if ready[1] {
            // Nobody says so while a child that is being started elsewhere still has a copy of the other end.
            return try socket.hasUnread ? .endedUnserved : .ended
        }
        if hasMessage {
            // The socket is closed and the process about to end. One that lives on without it is as good as hung.
            let ready = try Poll.readable([process] + stopNumbers, until: deadline)
            if ready[0] { return .ended }
            return ready.contains(true) ? .stopped : .deadline
        }
        return ready.contains(true) ? .stopped : .deadline
    }
}
