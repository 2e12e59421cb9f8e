import Glibc
import Kernel

/// System calls that fail with an error of one's choice, for the faults that no file system here can be made to have.
enum DeniedCall {
    #if arch(x86_64)
        static let linkat: UInt64 = 265
        static let pread: UInt64 = 17
    #elseif arch(arm64)
        static let linkat: UInt64 = 37
        static let pread: UInt64 = 67
    #endif

    private typealias Control = @convention(c) (Int32, UInt, UInt, UInt, UInt) -> Int32

    /// From now on and for good, in the calling thread and those that it starts: for processes of a test's own.
    static func deny(_ number: UInt64, with error: Errno) throws {
        // Swift does not see functions of any number of arguments, such as prctl(2).
        guard let symbol = dlsym(nil, "prctl") else { throw Errno.noSuchCall }
        let control = unsafeBitCast(symbol, to: Control.self)
        // Load the call's number; if it is this one go on, else leave out one; fail; allow.
        let program: [UInt64] = [
            0x20, 0x15 | 1 << 24 | number << 32, 0x06 | (0x0005_0000 | UInt64(error.rawValue)) << 32,
            0x06 | 0x7FFF_0000 << 32,
        ]
        let isDenied = program.withUnsafeBufferPointer { program in
            let filter = [UInt(program.count), UInt(bitPattern: program.baseAddress)]
            return filter.withUnsafeBufferPointer { filter in
                control(38, 1, 0, 0, 0) == 0 && control(22, 2, UInt(bitPattern: filter.baseAddress), 0, 0) == 0
            }
        }
        guard isDenied else { throw Errno.current }
    }
}
