import Kernel

/// What a look at a name in the inbox shows.
enum InboxLook: Sendable {
    /// With the writers of the file, or of those in the directory, of which `inside` tells more.
    case seen(FileStatus, ReadLease.Writers, inside: FolderLook? = nil)
    case gone
    /// This name cannot be looked at.
    case unreadable
    /// No name can be looked at.
    case unavailable(Errno)

    /// Looks at `name`, below whatever directory the inbox's path stands for now.
    ///
    /// - Parameter parts: names of files that are being written, for what is in a directory.
    init(at name: FilePath, in inbox: FilePath, parts: NamePatterns) {
        let directory: FileDescriptor
        do throws(Errno) {
            directory = try FileDescriptor.open(inbox, flags: .directory)
        } catch {
            self = .unavailable(error)
            return
        }
        do throws(Errno) {
            let (status, writers) = try ReadLease.look(at: name, in: directory)
            if status.kind == .directory {
                let inside = try FolderLook(at: name, in: directory, parts: parts)
                self = .seen(status, inside.writers, inside: inside)
            } else {
                self = .seen(status, writers)
            }
        } catch {
            self =
                switch error {
                case .noSuchFileOrDirectory: .gone
                case .tooManyOpenFiles, .tooManyOpenFilesInSystem, .outOfMemory, .permissionDenied:
                    .unavailable(error)
                default: .unreadable
                }
        }
    }
}
