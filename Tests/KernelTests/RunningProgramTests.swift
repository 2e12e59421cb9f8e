import Glibc
import Kernel
import Testing

@Suite struct RunningProgramTests {
    @Test("the arguments are those that the kernel has, byte for byte, without the program's name")
    func arguments() throws {
        let line = try FileDescriptor.open("/proc/self/cmdline", flags: .readOnly).readAll(maximumBytes: 1 << 20)
        let all = line.split(separator: 0, omittingEmptySubsequences: false).dropLast().map(Array.init)
        #expect(RunningProgram.arguments == Array(all.dropFirst()))
    }
}
