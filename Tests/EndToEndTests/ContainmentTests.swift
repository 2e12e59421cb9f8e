import Foundation
import Testing

/// The sandbox and the deadline without the probe in front of them, in a process of its own.
@Suite struct ContainmentTests {
    @Test("what no probe lets through is refused, killed or rendered, within bounds of time and memory")
    func bombs() throws {
        let containment = Program(executable: Program.directory.appending(path: "containment"))
        let scratch = try Scratch()
        let result = try containment.run([], in: scratch.url)
        print(result.output)
        #expect(result.status == 0, "\(result.output)\(result.errors)")
        #expect(result.output.contains("killed at the deadline"))
    }
}
