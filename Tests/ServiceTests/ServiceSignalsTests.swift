import Kernel
import Testing

@testable import Service

@Suite struct ServiceSignalsTests {
    @Test("a signal that is heard before its wake comes leaves nothing that wakes for ever")
    func lateWake() async {
        // In a process of its own: signals belong to all of it.
        await #expect(processExitsWith: .success) {
            let signals = try ServiceSignals()
            signals.reload.set()
            #expect(!signals.takeReload())
            #expect(try Poll.readable([signals.reload.descriptor.rawValue], until: .now) == [false])
        }
    }
}
