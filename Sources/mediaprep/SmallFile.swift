internal import Kernel

/// Files of a command line that are read whole.
enum SmallFile {
    /// - Parameter path: `-` for standard input.
    static func read(_ path: FilePath, mostBytes: Int) throws(UsageError) -> [UInt8] {
        do throws(Errno) {
            let file =
                path == "-" ? FileDescriptor(adopting: 0) : try FileDescriptor.open(path, flags: .readOnly)
            return try file.readAll(maximumBytes: mostBytes)
        } catch {
            throw UsageError(message: "cannot read \(path.escapedForTerminal): \(error)")
        }
    }
}
