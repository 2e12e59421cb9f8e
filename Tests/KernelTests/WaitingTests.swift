import Glibc
import Kernel
import Testing

@Suite struct WaitingTests {
    @Test func tellsWhichDescriptorIsReady() throws {
        let silent = try MessageSocket.pair()
        let speaking = try MessageSocket.pair()
        try speaking.far.send([1])
        let numbers = [silent.near.descriptor.rawValue, speaking.near.descriptor.rawValue]
        #expect(try Poll.readable(numbers, until: .now.advanced(by: .seconds(60))) == [false, true])
    }

    @Test(arguments: [.zero, .nanoseconds(1), .milliseconds(5), .seconds(-1)] as [Duration])
    func nothingIsReadyAtTheDeadline(_ wait: Duration) throws {
        let pair = try MessageSocket.pair()
        let deadline = MonotonicInstant.now.advanced(by: wait)
        #expect(try Poll.readable([pair.near.descriptor.rawValue], until: deadline) == [false])
        #expect(deadline <= .now)
    }

    @Test func anUnknownDescriptorIsAnError() {
        #expect(throws: Errno.badFileDescriptor) { _ = try Poll.readable([1 << 20], until: .now) }
    }

    @Test(arguments: [.seconds(Int64.max), .seconds(1 << 40)] as [Duration])
    func deadlinesBeyondAllTimeDoNotOverflow(_ wait: Duration) {
        #expect(MonotonicInstant.now.advanced(by: wait) > .now.advanced(by: .seconds(1_000_000_000)))
    }

    @Test func durationsAddUp() {
        let now = MonotonicInstant.now
        #expect(now.duration(to: now.advanced(by: .milliseconds(1500))) == .milliseconds(1500))
    }

    @Test func aStopFlagStaysSet() throws {
        let stop = try StopFlag()
        #expect(!stop.isSet)
        #expect(try Poll.readable([stop.descriptor.rawValue], until: .now) == [false])
        stop.set()
        stop.set()
        #expect(stop.isSet)
        for _ in 0..<2 { #expect(try Poll.readable([stop.descriptor.rawValue], until: .now) == [true]) }
    }
}
