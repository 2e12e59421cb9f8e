import Foundation
import Testing

/// Sound and film through the service.
@Suite struct ClipServeTests {
    let scratch: Scratch
    let root: URL

    init() throws {
        scratch = try Scratch()
        root = try scratch.serviceRoot()
    }

    func manifest(_ name: String) throws -> [String: Any] {
        try #require(scratch.manifest("root/outbox/\(name).json"))
    }

    @Test("a film and its still picture are published under the names of their own bytes, and found again")
    func published() throws {
        let service = try RunningServe(root, options: ["--base-url", "https://media.example.com/push/"])
        service.wait(for: "ready")
        try scratch.put(Clips.film, "film.mov")
        service.wait(for: "published", "rejected")
        let film = try manifest("film.mov")
        let output = try #require(film["output"] as? [String: Any])
        let id = digest(of: Clips.film)
        #expect(output["path"] as? String == "media/\(id.prefix(2))/\(id).mp4")
        #expect(output["url"] as? String == "https://media.example.com/push/\(id.prefix(2))/\(id).mp4")
        #expect(scratch.bytes("root/outbox/media/\(id.prefix(2))/\(id).mp4") == Clips.film)
        let poster = try #require(film["poster"] as? [String: Any])
        let path = try #require(poster["path"] as? String)
        let still = try #require(scratch.bytes("root/outbox/\(path)"))
        #expect(poster["sha256"] as? String == digest(of: still))
        #expect((poster["url"] as? String)?.hasSuffix("\(digest(of: still)).jpg") == true)

        // The same again costs no decoder, and tells of both.
        try scratch.put(Clips.film, "again.mp4")
        let again = try #require(service.wait(for: "published").first)
        #expect(again["reused"] as? String == "yes")
        #expect(try manifest("again.mp4")["clip"] != nil)
        #expect((try manifest("again.mp4")["poster"] as? [String: Any])?["path"] as? String == path)

        // Without the still picture it is made anew.
        try FileManager.default.removeItem(at: root.appending(path: "outbox/\(path)"))
        try scratch.put(Clips.film, "third.mp4")
        let third = try #require(service.wait(for: "published").first)
        #expect(third["reused"] == nil)
        #expect(scratch.bytes("root/outbox/\(path)") == still)
        service.stop()
    }

    @Test("sound and pictures side by side, and what is cut is refused")
    func mixed() throws {
        let service = try RunningServe(root)
        service.wait(for: "ready")
        try scratch.put(Clips.tone, "tone.wav")
        try scratch.put(Album.photo, "photo.jpg")
        try scratch.put(Array(Clips.film.dropLast(400)), "cut.mp4")
        service.wait(for: "published", "rejected", count: 3)
        service.stop()
        #expect((try manifest("tone.wav")["output"] as? [String: Any])?["duration_s"] as? Double == 1)
        #expect((try manifest("cut.mp4")["rejection"] as? [String: Any])?["code"] as? String == "truncated")
        #expect(try manifest("photo.jpg")["status"] as? String == "published")
    }
}
