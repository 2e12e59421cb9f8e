import Kernel

/// What the kernel says of a process's memory.
enum ProcessMemory {
    /// VmRSS of /proc/PID/status, in bytes.
    static func resident(_ process: String) throws -> Int {
        let path = FilePath("/proc/\(process)/status")
        let text = try FileDescriptor.open(path, flags: .readOnly).readAll(maximumBytes: 1 << 16)
        let line = String(decoding: text, as: UTF8.self).split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
        guard let line, let kibibytes = Int(line.filter(\.isNumber)) else { throw Errno.invalidArgument }
        return kibibytes << 10
    }
}
