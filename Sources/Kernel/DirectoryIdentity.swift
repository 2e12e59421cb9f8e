import CLinux
import Glibc

extension FileDescriptor {
    /// stat(2): what `path` leads to in the end, through every link; nothing is opened.
    public static func status(following path: FilePath) throws(Errno) -> FileStatus {
        try path.withCString { (name) throws(Errno) in
            var status = stat()
            try systemCall { stat(name, &status) }
            return FileStatus(status)
        }
    }

    /// True on a file system that other machines, or a program, change without this kernel's knowledge: NFS, SMB, FUSE
    /// and their like. False where that cannot be asked.
    public var isOnRemoteFileSystem: Bool { linux_is_remote(rawValue) > 0 }
}
