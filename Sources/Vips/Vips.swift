internal import CVips
internal import Glibc
internal import Synchronization

/// libvips as a whole: one start per process, and what it says beside its results.
public enum Vips {
    /// Starts libvips, once; later and concurrent calls wait for the first and share its result.
    ///
    /// One thread a picture and no operation cache: measured on two cores, jobs in parallel beat threads in a job, and
    /// a cache only keeps pictures in memory that never come again. Of libvips's loaders only those of `VipsLoader` can
    /// be called, and nothing is ever printed.
    public static func start() throws(VipsError) {
        try started.get()
    }

    /// libvips's version, such as `8.14.1`.
    public static var version: String {
        "\(vips_version(0)).\(vips_version(1)).\(vips_version(2))"
    }

    /// Warnings that libvips gave on the calling thread since it started.
    ///
    /// A JPEG that warns in its last eight rows decodes without an error; libvips mentions it when the picture is
    /// released, on the releasing thread. Comparing this count before and after is the only way to learn of it.
    public static var warningsOnThisThread: Int {
        Int(bitPattern: pthread_getspecific(warningKey))
    }

    /// Takes the texts of warnings and worse, of all threads, since this was last called.
    ///
    /// - Parameters:
    ///   - count: further ones are dropped.
    ///   - length: longest text, in bytes; what is longer is cut.
    public static func takeWarnings(atMost count: Int, longest length: Int) -> [String] {
        let texts = warnings.withLock { warnings in
            defer { warnings = [] }
            return warnings.prefix(count)
        }
        // What is left of a character that was cut becomes one replacement character of three bytes.
        return texts.map { text in
            text.utf8.count <= length ? text : String(decoding: text.utf8.prefix(length - 2), as: UTF8.self)
        }
    }

    /// Whether libvips compiles its inner loops for this processor (orc), as it does unless the environment forbids it.
    public static var compilesLoops: Bool { vips_vector_isenabled() != 0 }

    // vips_init twice at once crashes; a static is initialised once whoever comes first.
    private static let started: Result<Void, VipsError> = {
        g_log_set_default_handler(countWarning, nil)
        VipsModules.loadNone()
        guard vips_init("mediaprep") == 0 else { return .failure(VipsError.taken()) }
        VipsModules.loadHEIF()
        vips_cache_set_max(0)
        vips_concurrency_set(1)
        // What is no loader; of the loaders it would leave some that we do not call, such as that of matrices.
        vips_block_untrusted_set(1)
        VipsLoader.allowNoOthers()
        return .success(())
    }()

    private static let warningKey: pthread_key_t = {
        var key = pthread_key_t()
        precondition(pthread_key_create(&key, nil) == 0, "a process has room for 1024 keys and uses a handful")
        return key
    }()

    private static let countWarning: GLogFunc = { domain, level, text, _ in
        let told = G_LOG_LEVEL_WARNING.rawValue | G_LOG_LEVEL_CRITICAL.rawValue | G_LOG_LEVEL_ERROR.rawValue
        guard level.rawValue & told != 0 else { return }
        if level.rawValue & G_LOG_LEVEL_WARNING.rawValue != 0 {
            pthread_setspecific(warningKey, UnsafeRawPointer(bitPattern: warningsOnThisThread + 1))
        }
        let words = [domain, text].compactMap { $0.map { String(cString: $0) } }
        warnings.withLock { warnings in
            if warnings.count < mostWarnings { warnings.append(words.joined(separator: ": ")) }
        }
    }

    /// The texts that nobody has taken yet. A picture can cause thousands; the first ones tell what is the matter.
    private static let warnings = Mutex<[String]>([])
    private static let mostWarnings = 16
}
