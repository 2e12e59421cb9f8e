import Glibc
import Kernel
import Testing

@Suite struct StandardStreamTests {
    @Test("streams that were closed are /dev/null, others what they were, and no file gets their numbers")
    func missing() async {
        await #expect(processExitsWith: .success) {
            let directory = try TemporaryDirectory()
            try directory.write("", to: "a")
            let output = try FileDescriptor.open(directory.path.appending("a"), flags: .writeOnly)
            dup2(output.rawValue, 1)
            close(0)
            close(2)
            try StandardStream.replaceMissing()
            let file = try FileDescriptor.open(directory.path.appending("a"), flags: .readOnly)
            #expect(file.rawValue > 2)
            let null = try FileDescriptor.status(of: "/dev/null")
            for number: Int32 in [0, 2] {
                let copy = FileDescriptor(adopting: dup(number))
                #expect(try copy.status().isSameFile(as: null))
                #expect(fcntl(number, F_GETFD) == 0)
            }
            let copy = FileDescriptor(adopting: dup(1))
            #expect(try copy.status().isSameFile(as: output.status()))
        }
    }
}
