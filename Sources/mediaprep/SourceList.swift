internal import Kernel

/// The list of `--files-from`: paths between NULs or, where there is none, between line feeds.
enum SourceList {
    // A million paths of a hundred bytes; a longer list is more likely the wrong file.
    private static let longest = 100 << 20

    static func read(_ path: FilePath) throws(UsageError) -> [FilePath] {
        let bytes: [UInt8]
        do throws(Errno) {
            let file = path == "-" ? FileDescriptor(adopting: 0) : try FileDescriptor.open(path, flags: .readOnly)
            bytes = try file.readAll(maximumBytes: longest)
        } catch {
            throw UsageError(message: "cannot read the list \(path.escapedForTerminal): \(error)")
        }
        let separator: UInt8 = bytes.contains(0) ? 0 : UInt8(ascii: "\n")
        return bytes.split(separator: separator).map { FilePath(bytes: $0) }
    }
}
