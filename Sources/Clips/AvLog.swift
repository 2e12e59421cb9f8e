internal import CAv
internal import Synchronization

/// What libav says beside its results; it never prints.
enum AvLog {
    /// Has libav talk to us from now on.
    static func take() {
        av_log_set_level(AV_LOG_WARNING)
        av_log_set_callback { context, level, format, arguments in
            guard level <= AV_LOG_WARNING, let format, let arguments else { return }
            // Without the prefix, which has an address in it.
            var prefix: Int32 = 0
            let text = withUnsafeTemporaryAllocation(of: CChar.self, capacity: 512) { buffer in
                av_log_format_line(context, level, format, arguments, buffer.baseAddress, 512, &prefix)
                return buffer.baseAddress.map { String(cString: $0) } ?? ""
            }
            AvLog.remarks.withLock { remarks in
                if remarks.count < AvLog.most { remarks.append(String(text.prefix { $0 != "\n" })) }
            }
        }
    }

    /// Takes the texts since this was last called.
    ///
    /// - Parameters:
    ///   - count: further ones are dropped.
    ///   - length: longest text, in bytes; what is longer is cut.
    static func takeRemarks(atMost count: Int, longest length: Int) -> [String] {
        let texts = remarks.withLock { remarks in
            defer { remarks = [] }
            return remarks.prefix(count)
        }
        // What is left of a character that was cut becomes one replacement character of three bytes.
        return texts.map { text in
            text.utf8.count <= length ? text : String(decoding: text.utf8.prefix(length - 2), as: UTF8.self)
        }
    }

    /// A file can cause thousands; the first ones tell what is the matter.
    private static let remarks = Mutex<[String]>([])
    private static let most = 16
}
