internal import Kernel
internal import Synchronization

/// What keeps outcomes from being made just now - a full disk, say - and how long to wait before the next attempt.
final class Stalls: Sendable {
    private let log: ServiceLog
    private let abandon: StopFlag
    private let holders = Mutex<[String: Int]>([:])

    /// Longest pause between two attempts: what is over is to be noticed within 5 s.
    private static let longestPause = Duration.seconds(2)
    private static let firstPause = Duration.milliseconds(100)

    /// - Parameter abandon: ends every wait.
    init(log: ServiceLog, abandon: StopFlag) {
        self.log = log
        self.abandon = abandon
    }

    /// What stalls now, as sentences.
    var sentences: [String] { holders.withLock { $0.keys.sorted() } }

    /// Tries `attempt` until it does not fail, with pauses that grow.
    ///
    /// - Parameter attempt: gives what it came to, or the sentence of what is in its way.
    /// - Returns: nil when it was told to abandon before.
    func persist<Value: ~Copyable>(_ attempt: () -> Attempt<Value>) -> Value? {
        var held: String?
        var pause = Self.firstPause
        while true {
            switch attempt() {
            case .done(let value):
                release(held)
                return value
            case .inTheWay(let sentence):
                if sentence != held {
                    release(held)
                    hold(sentence)
                    held = sentence
                }
            }
            if wait(pause) {
                release(held)
                return nil
            }
            pause = min(pause * 2, Self.longestPause)
        }
    }

    enum Attempt<Value: ~Copyable>: ~Copyable {
        case done(Value)
        case inTheWay(String)
    }

    /// True when it was told to abandon meanwhile.
    private func wait(_ pause: Duration) -> Bool {
        // A failure of poll(2) - no memory - is no reason to spin: it is asked about once a pause at most.
        let ready = try? Poll.readable([abandon.descriptor.rawValue], until: .now.advanced(by: pause))
        return ready?.contains(true) ?? abandon.isSet
    }

    private func hold(_ sentence: String) {
        let isNew = holders.withLock { holders in
            holders[sentence, default: 0] += 1
            return holders[sentence] == 1
        }
        if isNew { log.stalled(sentence) }
    }

    private func release(_ sentence: String?) {
        guard let sentence else { return }
        let isOver = holders.withLock { holders in
            let left = (holders[sentence] ?? 1) - 1
            holders[sentence] = left > 0 ? left : nil
            return left <= 0
        }
        if isOver { log.resumed(sentence) }
    }
}
