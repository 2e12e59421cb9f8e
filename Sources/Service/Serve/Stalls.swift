internal import Glibc
internal import Kernel
internal import Synchronization

/// What keeps outcomes from being made just now - a full disk, say - and how long to wait before the next attempt.
final class Stalls: Sendable {
    private let log: ServiceLog
    private let holders = Mutex<[String: Int]>([:])
    /// What is in the way of sound and film alone.
    private let clips = Mutex<String?>(nil)

    /// Longest pause between two attempts: what is over is to be noticed within 5 s.
    private static let longestPause = Duration.seconds(2)
    private static let firstPause = Duration.milliseconds(100)

    init(log: ServiceLog) {
        self.log = log
    }

    /// What stalls now, as sentences.
    var sentences: [String] {
        var sentences = Set(holders.withLock { Array($0.keys) })
        if let sentence = clips.withLock({ $0 }) { sentences.insert(sentence) }
        return sentences.sorted()
    }

    /// Tells what is in the way of sound and film alone, while pictures go on; nil when one of them went well.
    func tell(ofClips sentence: String?) {
        let former = clips.withLock { clips in
            defer { clips = sentence }
            return clips
        }
        guard sentence != former else { return }
        if let former { log.resumed(former) }
        if let sentence { log.stalled(sentence) }
    }

    /// Tries `attempt` until it does not fail, with pauses that grow.
    ///
    /// - Parameters:
    ///   - flag: ends it.
    ///   - attempt: gives what it came to, or the sentence of what is in its way.
    /// - Returns: nil when the flag was set before.
    func persist<Value: ~Copyable>(until flag: StopFlag, _ attempt: () -> Attempt<Value>) -> Value? {
        var held: String?
        var pause = Self.firstPause
        while true {
            switch attempt() {
            case .done(let value):
                release(held, isOver: true)
                return value
            case .inTheWay(let sentence):
                // What is given up says nothing of the disk.
                if flag.isSet {
                    release(held, isOver: false)
                    return nil
                }
                if sentence != held {
                    release(held, isOver: true)
                    hold(sentence)
                    held = sentence
                }
            }
            wait(pause, until: flag)
            pause = min(pause * 2, Self.longestPause)
        }
    }

    enum Attempt<Value: ~Copyable>: ~Copyable {
        case done(Value)
        case inTheWay(String)
    }

    private func wait(_ pause: Duration, until flag: StopFlag) {
        if (try? Poll.readable([flag.descriptor.rawValue], until: .now.advanced(by: pause))) == nil {
            // Even poll(2) wants memory that is not there.
            usleep(100_000)
        }
    }

    private func hold(_ sentence: String) {
        let isNew = holders.withLock { holders in
            holders[sentence, default: 0] += 1
            return holders[sentence] == 1
        }
        if isNew { log.stalled(sentence) }
    }

    /// - Parameter isOver: it passed, and did not only end for this attempt.
    private func release(_ sentence: String?, isOver: Bool) {
        guard let sentence else { return }
        let isLast = holders.withLock { holders in
            let left = (holders[sentence] ?? 1) - 1
            holders[sentence] = left > 0 ? left : nil
            return left <= 0
        }
        if isOver, isLast { log.resumed(sentence) }
    }
}
