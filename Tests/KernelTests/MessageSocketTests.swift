import Glibc
import Kernel
import Testing

@Suite struct MessageSocketTests {
    @Test func messagesKeepTheirBoundsAndDescriptors() throws {
        let pair = try MessageSocket.pair()
        let file = try MemoryFileTests.sealed("content")
        try pair.near.send([1, 2, 3], descriptors: [file.descriptor.rawValue, 0])
        try pair.near.send([4])
        guard let first = try pair.far.receive(maximumBytes: 10, maximumDescriptors: 2),
            let second = try pair.far.receive(maximumBytes: 10, maximumDescriptors: 2)
        else {
            Issue.record("two messages were sent")
            return
        }
        #expect(first.bytes == [1, 2, 3])
        #expect(second.bytes == [4])
        #expect(second.descriptors.count == 0)
        var descriptors = first.descriptors
        guard let copy = descriptors.takeFirst() else {
            Issue.record("two descriptors were sent")
            return
        }
        #expect(descriptors.count == 1)
        #expect(fcntl(copy.rawValue, F_GETFD) & FD_CLOEXEC == FD_CLOEXEC)
        let text = try SealedFile(adopting: copy).withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
        #expect(text == "content")
    }

    struct Truncation: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var bytes = 4
        var descriptors = 0
        var fits: Bool
    }

    @Test(arguments: [
        Truncation(testDescription: "as many bytes as there is room", bytes: 8, fits: true),
        Truncation(testDescription: "one byte more", bytes: 9, fits: false),
        Truncation(testDescription: "as many descriptors as asked for", descriptors: 1, fits: true),
        Truncation(testDescription: "one descriptor more", descriptors: 2, fits: false),
        Truncation(testDescription: "as many descriptors as there can be", descriptors: 16, fits: false),
        Truncation(testDescription: "too many of both", bytes: 9, descriptors: 16, fits: false),
    ])
    func whatDoesNotFitIsAnErrorAndLeaksNothing(_ truncation: Truncation) throws {
        let pair = try MessageSocket.pair()
        // What is sent is one end of a connection: the other end tells whether a copy of it is open anywhere.
        let witness = try MessageSocket.pair()
        let near = witness.near
        let sent = witness.far
        try pair.near.send(
            [UInt8](repeating: 1, count: truncation.bytes),
            descriptors: [Int32](repeating: sent.descriptor.rawValue, count: truncation.descriptors))
        try close(sent)
        if truncation.fits {
            let count = try pair.far.receive(maximumBytes: 8, maximumDescriptors: 1)?.bytes.count
            #expect(count == truncation.bytes)
        } else {
            #expect(throws: Errno.messageTooLong) {
                _ = try pair.far.receive(maximumBytes: 8, maximumDescriptors: 1)
            }
        }
        #expect(throws: Errno.brokenPipe) { try near.send([1]) }
    }

    @Test func moreDescriptorsThanThereIsControlRoomFor() throws {
        let pair = try MessageSocket.pair()
        #expect(throws: Errno.invalidArgument) {
            try pair.near.send([1], descriptors: [Int32](repeating: 0, count: 17))
        }
    }

    @Test func theEndIsNotAMessage() throws {
        let pair = try MessageSocket.pair()
        #expect(throws: Errno.invalidArgument) { try pair.near.send([]) }
        let far = pair.far
        try pair.near.send([1])
        try close(pair.near)
        let last = try far.receive(maximumBytes: 10, maximumDescriptors: 0) != nil
        let end = try far.receive(maximumBytes: 10, maximumDescriptors: 0) == nil
        #expect(last && end)
    }

    @Test func aClosedOtherEndIsAnErrorAndNoSignal() throws {
        let pair = try MessageSocket.pair()
        let near = pair.near
        try close(pair.far)
        #expect(throws: Errno.brokenPipe) { try near.send([1]) }
    }

    @Test func anEndThatLeftMessagesUnreadIsTold() throws {
        let pair = try MessageSocket.pair()
        let near = pair.near
        try near.send([1])
        try close(pair.far)
        #expect(throws: Errno.connectionReset) { _ = try near.receive(maximumBytes: 10, maximumDescriptors: 0) }
    }

    @Test func sendingNeverWaits() throws {
        let pair = try MessageSocket.pair()
        let error = #expect(throws: Errno.self) {
            while true { try pair.near.send([UInt8](repeating: 0, count: 1000)) }
        }
        #expect(error == .wouldBlock)
        #expect(throws: Errno.messageTooLong) { try pair.near.send([UInt8](repeating: 0, count: 16 << 20)) }
    }

    private func close(_ socket: consuming MessageSocket) throws {
        // The end of its life is what closes it.
    }

    @Test func whatIsUnreadIsToldWhileTheOtherEndLives() throws {
        let pair = try MessageSocket.pair()
        #expect(try !pair.near.hasUnread)
        try pair.near.send([1, 2, 3])
        #expect(try pair.near.hasUnread)
        _ = try pair.far.receive(maximumBytes: 16, maximumDescriptors: 0)
        #expect(try !pair.near.hasUnread)
    }
}
