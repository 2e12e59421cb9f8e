internal import CGLib
internal import Glibc
internal import Synchronization

/// What GLib has to say of the process it is in.
public enum GLibMessages {
    /// How much a message matters.
    public enum Level: Sendable {
        case error, warning, notice, info
    }

    /// Hands GLib's messages, and what it would print on standard error, to `tell` from now on; those for debugging are
    /// left out.
    ///
    /// - Parameter tell: called in the thread that the message comes from, with the part of GLib that it comes from.
    public static func redirect(to tell: @escaping @Sendable (_ level: Level, _ domain: String, _ text: String) -> Void)
    {
        receiver.withLock { $0 = tell }
        // GLib takes one writer for the life of the process.
        _ = installed
    }

    private static let receiver = Mutex<(@Sendable (Level, String, String) -> Void)?>(nil)

    private static let installed: Void = {
        g_log_set_writer_func(
            { level, fields, count, _ in
                GLibMessages.tell(level, fields, count)
                return G_LOG_WRITER_HANDLED
            }, nil, nil)
        _ = g_set_printerr_handler { text in
            guard let text else { return }
            GLibMessages.tell(.warning, "", String(cString: text))
        }
    }()

    private static func tell(_ flags: GLogLevelFlags, _ fields: UnsafePointer<GLogField>?, _ count: gsize) {
        guard let level = level(flags) else { return }
        var texts: [String: String] = [:]
        for field in UnsafeBufferPointer(start: fields, count: Int(count)) {
            guard let key = field.key, let value = field.value else { continue }
            // A negative length says that a NUL ends the value.
            let length = field.length < 0 ? strlen(value.assumingMemoryBound(to: CChar.self)) : Int(field.length)
            texts[String(cString: key)] = String(
                decoding: UnsafeRawBufferPointer(start: value, count: length), as: UTF8.self)
        }
        tell(level, texts["GLIB_DOMAIN"] ?? "", texts["MESSAGE"] ?? "")
    }

    // Not under the lock: what is told may itself make GLib speak.
    private static func tell(_ level: Level, _ domain: String, _ text: String) {
        receiver.withLock { $0 }?(level, domain, text)
    }

    private static func level(_ flags: GLogLevelFlags) -> Level? {
        let isIn = { (level: GLogLevelFlags) in flags.rawValue & level.rawValue != 0 }
        if isIn(G_LOG_LEVEL_ERROR) || isIn(G_LOG_LEVEL_CRITICAL) { return .error }
        if isIn(G_LOG_LEVEL_WARNING) { return .warning }
        if isIn(G_LOG_LEVEL_MESSAGE) { return .notice }
        return isIn(G_LOG_LEVEL_INFO) ? .info : nil
    }
}
