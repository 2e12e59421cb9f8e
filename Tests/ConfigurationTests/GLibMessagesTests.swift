import Configuration
import Glibc
import Synchronization
import Testing

@Suite struct GLibMessagesTests {
    /// GLib's GLogField; the tests do not import GLib itself.
    private struct Field {
        var key: UnsafePointer<CChar>
        var value: UnsafePointer<CChar>
        var length: Int
    }

    // Another part of the tests may have taken over what g_log() does, so that this calls what lies beneath it.
    private typealias Log = @convention(c) (Int32, UnsafeRawPointer, Int) -> Void

    @Test("what GLib says is handed on with its level, but for what is for debugging")
    func messages() throws {
        let log = unsafeBitCast(try #require(dlsym(nil, "g_log_structured_array")), to: Log.self)
        let told = Mutex<[String]>([])
        GLibMessages.redirect { level, domain, text in
            if domain == "mediaprep-test" { told.withLock { $0.append("\(level) \(text)") } }
        }
        // G_LOG_LEVEL_CRITICAL to G_LOG_LEVEL_DEBUG.
        for level: Int32 in [1 << 3, 1 << 4, 1 << 5, 1 << 6, 1 << 7] {
            "mediaprep-test".withCString { domain in
                "a > b".withCString { message in
                    "GLIB_DOMAIN".withCString { domainKey in
                        "MESSAGE".withCString { messageKey in
                            let fields = [
                                Field(key: domainKey, value: domain, length: -1),
                                Field(key: messageKey, value: message, length: 4),
                            ]
                            fields.withUnsafeBytes { log(level, $0.baseAddress ?? UnsafeRawPointer(domain), 2) }
                        }
                    }
                }
            }
        }
        #expect(told.withLock { $0 } == ["error a > ", "warning a > ", "notice a > ", "info a > "])
    }
}
