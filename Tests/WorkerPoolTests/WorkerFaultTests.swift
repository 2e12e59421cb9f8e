import AttachmentRules
import Kernel
import Testing
import WorkerPool

@Suite struct WorkerFaultTests {
    @Test(
        arguments: [
            (
                .crashed(.signalled(11)), .decoderCrashed,
                "The decoder was killed by signal 11 (SIGSEGV) while it worked on this file; save it anew and send that."
            ),
            (
                .crashed(.signalled(9)), .decoderCrashed,
                "The decoder was killed by signal 9 (SIGKILL), as the kernel does when memory runs out; run it again, with fewer jobs."
            ),
            (
                .crashed(.exited(1)), .decoderCrashed,
                "The decoder exited with status 1 while it worked on this file; save it anew and send that."
            ),
            (
                .timedOut(.seconds(10)), .decoderTimeout,
                "The decoder had not finished after 10 s and was killed; allow it more time or send a smaller one."
            ),
            (
                .timedOut(.milliseconds(250)), .decoderTimeout,
                "The decoder had not finished after 250 ms and was killed; allow it more time or send a smaller one."
            ),
            (
                .badReply("it is not a reply"), .badReply,
                "The decoder's answer is not to be trusted: it is not a reply."
            ),
            (
                .requestTooLong(bytes: 200_000), .tooManySegments,
                "The file's structure takes 200000 bytes to describe to the decoder."
            ),
        ] as [(WorkerFault, Rejection.Code, String)])
    func rejection(_ fault: WorkerFault, code: Rejection.Code, message: String) {
        #expect(fault.rejection == Rejection(code, rule: .doesNotDecode, stage: .worker, message))
    }
}
