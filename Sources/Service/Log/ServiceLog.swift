public import Configuration
internal import Glibc
internal import Kernel
internal import Synchronization

/// The log of the service: a line for each event on standard error, each by one write(2).
///
/// Whoever reads it never makes the service wait: a line that has no room in a pipe, socket or terminal, or no reader, is
/// dropped and counted, and the count is told as soon as there is room again. Where it is a regular file, a line waits
/// for that file's disk, and the threads wait for each other. SIGPIPE has to be ignored in the process.
public final class ServiceLog: Sendable {
    /// How much an event matters, as in syslog(3).
    enum Level: Int, Sendable {
        case error = 3
        case warning, notice, info
    }

    private struct Position {
        var format: ServeSettings.LogFormat
        /// Lines that were not written, or only in part, and that nobody was told of.
        var lost = 0
        /// The last line was taken in part.
        var isTorn = false
    }

    private let destination: LogDestination
    private let isJournal: Bool
    private let position: Mutex<Position>

    /// The log on standard error.
    public convenience init(_ format: ServeSettings.LogFormat) {
        self.init(format, descriptor: 2, journalStream: getenv("JOURNAL_STREAM").map { String(cString: $0) })
    }

    /// - Parameters:
    ///   - descriptor: stays the caller's; what it stands for is kept open by the log too.
    ///   - journalStream: $JOURNAL_STREAM of systemd.exec(5). Where it names `descriptor`, lines have priorities instead
    ///     of times.
    init(_ format: ServeSettings.LogFormat, descriptor: Int32, journalStream: String?) {
        destination = LogDestination(descriptor)
        isJournal = LogDestination.isJournal(descriptor, stream: journalStream)
        position = Mutex(Position(format: format))
    }

    /// Writes further lines in another format.
    func setFormat(_ format: ServeSettings.LogFormat) {
        position.withLock { $0.format = format }
    }

    /// Writes one line: the level, `event`, and the fields in their order.
    func write(_ level: Level, _ event: String, _ fields: KeyValuePairs<String, LogValue> = [:]) {
        write(level, event, fields.map { $0 })
    }

    /// Writes one line: the level, `event`, and the fields in their order.
    func write(_ level: Level, _ event: String, _ fields: [(key: String, value: LogValue)]) {
        let time = isJournal ? nil : UTCTime.now.milliseconds
        position.withLock { position in
            if position.lost > 0 {
                let notice = line(.warning, "log-lines-dropped", [("lines", .number(position.lost))], time: time)
                guard put(notice, &position) else {
                    position.lost += 1
                    return
                }
                position.lost = 0
            }
            if !put(line(level, event, fields, time: time), &position) { position.lost += 1 }
        }
    }

    /// Hands GLib's own messages to the log from now on, as events called `glib`.
    public func takeGLibMessages() {
        GLibMessages.redirect { [self] level, domain, text in
            let level: Level =
                switch level {
                case .error: .error
                case .warning: .warning
                case .notice: .notice
                case .info: .info
                }
            write(level, "glib", ["domain": .text(domain), "message": .text(text)])
        }
    }

    private func line(
        _ level: Level, _ event: String, _ fields: [(key: String, value: LogValue)], time: String?
    ) -> LogLine {
        LogLine(time: time, level: level, event: event, fields: fields, hasPriority: isJournal)
    }

    private func put(_ line: LogLine, _ position: inout Position) -> Bool {
        // What is left of a torn line must not become the start of this one.
        let bytes = (position.isTorn ? [UInt8(ascii: "\n")] : []) + line.bytes(as: position.format)
        let taken = destination.write(bytes.span)
        if taken > 0 { position.isTorn = taken < bytes.count }
        return taken == bytes.count
    }
}
