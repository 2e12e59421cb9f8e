internal import JobProtocol
internal import Kernel

/// One job after the other, until the supervisor closes its end of the socket.
struct JobLoop {
    let process: WorkerProgram.Process
    let remarks: () -> [String]

    func run(on socket: borrowing MessageSocket) throws {
        do {
            while let message = try socket.receive(
                maximumBytes: JobCoding.maximumRequestBytes, maximumDescriptors: 2)
            {
                try socket.send(answer(message))
            }
        } catch let error as Errno where error == .brokenPipe || error == .connectionReset {
            // The supervisor is gone; that is how its end shows while a job is worked on.
        }
    }

    private func answer(_ message: consuming MessageSocket.Message) throws -> [UInt8] {
        let request = try JobCoding.decode(JobRequest.self, from: message.bytes)
        var descriptors = message.descriptors
        guard let source = descriptors.takeFirst(), let result = descriptors.takeFirst() else {
            throw Errno.badFileDescriptor
        }
        let sealed = try SealedFile(adopting: source)
        let output = MemoryFile(adopting: result)
        let outcome = sealed.withUnsafeBytes { bytes in
            process(bytes, request, { bytes in try output.append(bytes) })
        }
        return try JobCoding.encode(JobReply(id: request.id, outcome: outcome, remarks: remarks()))
    }
}
