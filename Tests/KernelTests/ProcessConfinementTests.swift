import Glibc
import Kernel
import Testing

@Suite struct ProcessConfinementTests {
    @Test func addressSpaceIsLimited() async {
        await #expect(processExitsWith: .success) {
            func canMap(_ size: Int) -> Bool {
                mmap(nil, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) != MAP_FAILED
            }
            #expect(canMap(2 << 30))
            try ProcessConfinement.limitAddressSpace(bytes: 1 << 30)
            #expect(!canMap(2 << 30))
        }
    }

    @Test func noCoreIsDumped() async {
        await #expect(processExitsWith: .success) {
            try ProcessConfinement.forbidCoreDumps()
            let limits = try FileDescriptor.open("/proc/self/limits", flags: .readOnly).readAll(maximumBytes: 1 << 16)
            let line = String(decoding: limits, as: UTF8.self).split(separator: "\n").first { $0.contains("core") }
            #expect(line?.split(separator: " ").filter { $0 == "0" }.count == 2)
        }
    }

    @Test func aParentThatIsGoneIsNoticed() async {
        await #expect(processExitsWith: .success) {
            #expect(throws: Errno.noSuchProcess) { try ProcessConfinement.dieWithParent(getppid() + 1) }
        }
    }
}
