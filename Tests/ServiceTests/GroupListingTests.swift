import AttachmentRules
import Foundation
import Kernel
import Testing

@testable import Service

/// What lies in the directory of a push, before any of it is opened but its description.
@Suite struct GroupListingTests {
    let directory: URL

    init() throws {
        directory = FileManager.default.temporaryDirectory.appending(path: "mediaprep-push-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    }

    private func write(_ text: String, to name: String) throws {
        try Data(text.utf8).write(to: directory.appending(path: name))
    }

    /// Reads it, and removes it.
    private func listing() throws -> GroupListing {
        defer { try? FileManager.default.removeItem(at: directory) }
        return try look()
    }

    private func look() throws -> GroupListing {
        var listing = GroupListing(leavingOut: NamePatterns([".*", "*.part"]))
        let path = FilePath(directory.path)
        try listing.read(blamed: { _ in true }) { () throws(Errno) in
            try FileDescriptor.open(path, flags: .directory)
        }
        return listing
    }

    private func refusal() -> Rejection? {
        do {
            _ = try listing()
            return nil
        } catch {
            return error as? Rejection
        }
    }

    @Test("names in natural order, without the push's description and what is no attachment")
    func order() throws {
        for name in ["10.jpg", "9.jpg", "push.json", ".hidden", "a.part", "Thumbs.db", "desktop.ini"] {
            try write(name == "push.json" ? #"{"category":"news"}"# : "x", to: name)
        }
        let listing = try listing()
        #expect(listing.members.map(\.name) == ["9.jpg", "10.jpg"])
        #expect(listing.push?.category == "news")
    }

    @Test("as many attachments as a push has, and no more", arguments: [10, 11])
    func most(count: Int) throws {
        for number in 1...count { try write("x", to: "\(number).jpg") }
        #expect(refusal()?.code == (count == 10 ? nil : .tooManyAttachments))
    }

    @Test("a directory with very many entries is not read to its end")
    func entries() throws {
        for number in 1...257 { try write("x", to: "\(number).part") }
        #expect(refusal()?.code == .tooManyAttachments)
    }

    @Test("more bytes than are read together are refused unread")
    func bytes() throws {
        for number in 1...5 {
            try write("", to: "\(number).jpg")
            let file = try FileHandle(forWritingTo: directory.appending(path: "\(number).jpg"))
            try file.truncate(atOffset: 60 << 20)
        }
        let refusal = refusal()
        #expect(refusal?.code == .fileTooLarge && refusal?.rule == .tooManyBytes)
    }

    @Test("a link, or a directory, is named and refused", arguments: ["link", "directory"])
    func otherKinds(kind: String) throws {
        try write("x", to: "a.jpg")
        let path = directory.appending(path: "b.jpg")
        if kind == "link" {
            try FileManager.default.createSymbolicLink(atPath: path.path, withDestinationPath: "a.jpg")
        } else {
            try FileManager.default.createDirectory(at: path, withIntermediateDirectories: true)
        }
        let refusal = refusal()
        #expect(refusal?.code == .notARegularFile)
        #expect(refusal?.message.hasPrefix("b.jpg: ") == true)
    }

    @Test("a description that is too long, or is a link, is refused")
    func pushFile() throws {
        try write("x", to: "a.jpg")
        try write("[" + String(repeating: " ", count: Push.mostBytes), to: "push.json")
        #expect(throws: Rejection.self) { _ = try look() }
        try FileManager.default.removeItem(at: directory.appending(path: "push.json"))
        try FileManager.default.createSymbolicLink(
            atPath: directory.appending(path: "push.json").path, withDestinationPath: "/etc/passwd")
        #expect(refusal()?.code == .notARegularFile)
    }

    @Test("a file that was added, changed or renamed, or another description, is a change")
    func changes() throws {
        try write("x", to: "a.jpg")
        let first = try look()
        #expect(try look().isUnchanged(since: first))
        try write("yy", to: "a.jpg")
        let second = try look()
        #expect(!second.isUnchanged(since: first))
        try write("x", to: "b.jpg")
        let third = try look()
        #expect(!third.isUnchanged(since: second))
        try write("{}", to: "push.json")
        #expect(try !listing().isUnchanged(since: third))
    }

    @Test(
        "the profile that a push names decides the recipe; one that there is not is refused with those that there are")
    func profiles() throws {
        try write("x", to: "a.jpg")
        var standard = Profile.ios
        standard.recipe.quality = 33
        #expect(try look().receiver(among: Profile.builtIn, standard: standard) == standard)
        try write(#"{"profile":"web"}"#, to: "push.json")
        #expect(try look().receiver(among: Profile.builtIn, standard: standard) == .web)
        let refusal = #expect(throws: Rejection.self) { try look().receiver(among: [.ios], standard: standard) }
        #expect(refusal?.rule == .badPush && refusal?.message.contains("ios") == true)
        try FileManager.default.removeItem(at: directory)
    }
}
