import Glibc

/// The descriptors that a process is born with; they stay open as long as it lives.
public enum StandardStream {
    public static let output = FileDescriptor(adopting: 1)
    public static let error = FileDescriptor(adopting: 2)

    /// Puts /dev/null in the place of each that the process was born without; to be called before anything is opened.
    ///
    /// The next file to be opened would get such a number otherwise, and with it whatever is meant for the stream.
    public static func replaceMissing() throws(Errno) {
        while true {
            // Not close-on-exec, as streams are not. The lowest number that is free is the one it gets.
            let number = try systemCall { open("/dev/null", O_RDWR | O_NOCTTY) }
            if number > 2 {
                _ = FileDescriptor(adopting: number)
                return
            }
        }
    }
}
