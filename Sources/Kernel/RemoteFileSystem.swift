import CLinux

extension FileDescriptor {
    /// True on a file system that other machines, or a program, change without this kernel's knowledge: NFS, SMB, FUSE
    /// and their like. False where that cannot be asked.
    public var isOnRemoteFileSystem: Bool { linux_is_remote(rawValue) > 0 }
}
