import Foundation
import Testing

extension Scratch {
    /// The root of a service, with its inbox.
    func serviceRoot() throws -> URL {
        let root = url.appending(path: "root")
        try FileManager.default.createDirectory(at: root.appending(path: "inbox"), withIntermediateDirectories: true)
        return root
    }

    /// Puts a whole file into the inbox at once.
    func put(_ bytes: [UInt8], _ name: String) throws {
        try write(bytes, to: "staged")
        try FileManager.default.moveItem(
            at: url.appending(path: "staged"), to: url.appending(path: "root/inbox").appending(path: name))
    }
}

extension RunningServe {
    /// Ends it by SIGTERM, which has to end well.
    func stop(_ location: SourceLocation = #_sourceLocation) {
        kill(SIGTERM)
        let status = waitForEnd()
        #expect(status == 0, sourceLocation: location)
    }
}
