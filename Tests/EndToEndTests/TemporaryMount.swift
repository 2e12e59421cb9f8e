import Foundation

/// A file system in memory, mounted for one test.
final class TemporaryMount {
    let url: URL

    /// - Parameter url: of the directory, which is made.
    init(at url: URL) throws {
        self.url = url
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        guard mount("none", url.path, "tmpfs", 0, "size=4m") == 0 else { throw CocoaError(.fileWriteNoPermission) }
    }

    deinit {
        umount2(url.path, Int32(MNT_DETACH))
    }

    func remount(readOnly: Bool) throws {
        let flags = UInt(MS_REMOUNT) | (readOnly ? UInt(MS_RDONLY) : 0)
        guard mount("none", url.path, "tmpfs", flags, "size=4m") == 0 else {
            throw CocoaError(.fileWriteVolumeReadOnly)
        }
    }

    /// Takes all the room there is.
    ///
    /// - Returns: the file that has it.
    func fill() throws -> URL {
        let file = url.appending(path: "ballast")
        let number = open(file.path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        defer { close(number) }
        let block = [UInt8](repeating: 0, count: 4096)
        while write(number, block, block.count) > 0 {}
        guard errno == ENOSPC else { throw CocoaError(.fileWriteUnknown) }
        return file
    }
}

/// Whether this process may mount.
let ownMounts: Bool = {
    guard geteuid() == 0, let scratch = try? Scratch() else { return false }
    return (try? TemporaryMount(at: scratch.url.appending(path: "probe"))) != nil
}()
