internal import CLinux

/// Bounds that the kernel keeps, or lower ones where whoever started this set those: memory, the length of a result, open files, and no core dump, which would hold the
/// picture.
enum LimitLayer {
    /// The standard streams, the socket and the two of a job are 6; the rest is for what a library might duplicate.
    static let openFiles: UInt64 = 16

    static func enter(_ settings: SandboxSettings) throws(SandboxError) {
        let limits: [(name: String, kind: linux_limit, value: UInt64)] = [
            ("RLIMIT_CORE", LINUX_LIMIT_CORE, 0),
            ("RLIMIT_NOFILE", LINUX_LIMIT_OPEN_FILES, openFiles),
            ("RLIMIT_FSIZE", LINUX_LIMIT_FILE_SIZE, settings.resultBytes),
            ("RLIMIT_AS", LINUX_LIMIT_ADDRESS_SPACE, settings.addressSpaceBytes),
        ]
        for limit in limits {
            try ask(limit.name) { linux_lower_limit(limit.kind, limit.value) }
            try verify(limit.name, equals: 1) { linux_is_limited(limit.kind, limit.value) }
        }
    }
}
