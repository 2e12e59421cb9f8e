import Glibc
import Kernel
import Misbehaviour

extension Lie {
    /// A file beside this program that tells a test who has told which lie.
    func leaveMark() throws {
        let mark = try RunningProgram.path().removingLastComponent.appending(FilePath("lie.\(getpid()).\(self)"))
        try FileDescriptor.open(mark, flags: [.writeOnly, .create]).close()
    }
}

extension Liar {
    /// The number of the descriptor of this job's result.
    static func resultDescriptor() throws -> Int32 {
        for number in Int32(4)..<100 {
            var target = [CChar](repeating: 0, count: 100)
            if readlink("/proc/self/fd/\(number)", &target, target.count - 1) > 0,
                target.starts(with: "/memfd:result".utf8CString.dropLast())
            {
                return number
            }
        }
        throw Errno.badFileDescriptor
    }
}
