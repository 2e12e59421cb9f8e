import JobProtocol
import MediaPipeline
import MediaProbe
import Misbehaviour
import WorkerProgram

// The real worker without its sandbox, which lies about every picture whose width says so.
var earlier: [UInt8] = []
WorkerProgram(start: MediaPipeline.start, remarks: MediaPipeline.takeRemarks) { source, request, write in
    let honest = HonestAnswer(to: request, about: source)
    guard let lie = Lie(rawValue: request.facts.width) else {
        earlier = honest.result
        return honest.handOver(write)
    }
    do {
        try lie.leaveMark()
        return try withoutActuallyEscaping(write) { write in
            try Liar(request: request, honest: honest, earlier: earlier, write: write).answer(lie)
        }
    } catch {
        fatalError("cannot lie: \(error)")
    }
}.run(isConfined: false)
