/// The descriptors that a process is born with; they stay open as long as it lives.
public enum StandardStream {
    public static let output = FileDescriptor(adopting: 1)
    public static let error = FileDescriptor(adopting: 2)
}
