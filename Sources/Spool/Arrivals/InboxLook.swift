import Kernel

/// What a look at a name in the inbox shows.
enum InboxLook: Sendable {
    case seen(FileStatus, ReadLease.Writers)
    case gone
    /// This name cannot be looked at.
    case unreadable
    /// No name can be looked at.
    case unavailable(Errno)

    /// Looks at `name`, below whatever directory the inbox's path stands for now.
    init(at name: FilePath, in inbox: FilePath) {
        let directory: FileDescriptor
        do throws(Errno) {
            directory = try FileDescriptor.open(inbox, flags: .directory)
        } catch {
            self = .unavailable(error)
            return
        }
        do throws(Errno) {
            let (status, writers) = try ReadLease.look(at: name, in: directory)
            self = .seen(status, writers)
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
