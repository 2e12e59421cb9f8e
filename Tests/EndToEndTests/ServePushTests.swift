import AttachmentRules
import Foundation
import Misbehaviour
import Scenes
import Testing

/// Directories in the inbox: pushes of several pictures, all of them or none.
@Suite struct ServePushTests {
    let scratch: Scratch
    let root: URL

    init() throws {
        scratch = try Scratch()
        root = try scratch.serviceRoot()
    }

    private func outcome(_ name: String) throws -> PushOutcome {
        PushOutcome(manifest: try #require(scratch.manifest("root/outbox/\(name).json")))
    }

    private func media(of outcome: PushOutcome) throws -> [[UInt8]] {
        try outcome.paths.map { try #require(scratch.bytes("root/outbox/\($0)")) }
    }

    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let files: [String: [UInt8]]
        let names: [String]
        /// Whether they are too large together as they are.
        var isCapped = false
    }

    static let wide = picture(1400, 600, 6)

    private static func picture(_ width: Int, _ height: Int, _ seed: Int) -> [UInt8] {
        (try? Scene(width: width, height: height, seed: seed).file(SceneFile(.jpeg()))) ?? []
    }

    static let cases = [
        Case(testDescription: "one picture", files: ["a.jpg": Album.photo], names: ["a.jpg"]),
        Case(
            testDescription: "three in the order of their names, numbers as numbers",
            files: ["10.jpg": Album.photo, "9.png": Album.sticker, "1.jpg": Album.other],
            names: ["1.jpg", "9.png", "10.jpg"]),
        Case(
            testDescription: "three in the order of push.json",
            files: [
                "1.jpg": Album.photo, "2.png": Album.sticker, "3.jpg": Album.other,
                "push.json": PushFiles.order("3.jpg", "1.jpg", "2.png"),
            ],
            names: ["3.jpg", "1.jpg", "2.png"]),
        Case(
            testDescription: "four that are too large together", isCappedWith: Self.wide),
        Case(
            testDescription: "what systems leave behind is no attachment",
            files: [
                "a.jpg": Album.photo, ".DS_Store": [0], "Thumbs.db": [1], "b.jpg.part": [2], "._a.jpg": [3],
            ], names: ["a.jpg"]),
    ]

    @Test("all attachments are published, in order and within the memory of a phone", arguments: cases)
    func published(_ push: Case) throws {
        let service = try RunningServe(root, options: ["--base-url", "https://media.example.com/push"])
        service.wait(for: "ready")
        try PushFiles(files: push.files).put("push", in: scratch)
        let event = try #require(service.wait(for: "published", "rejected").first)
        service.stop()
        #expect(event["event"] as? String == "published")
        #expect(event["attachments"] as? Int == push.names.count)
        let outcome = try outcome("push")
        #expect(outcome.status == "published")
        #expect(outcome.names == push.names)
        #expect(outcome.statuses.allSatisfy { $0 == "published" })
        #expect((outcome.manifest["push"] != nil) == (push.files["push.json"] != nil))
        for output in outcome.outputs {
            #expect((output["url"] as? String)?.hasPrefix("https://media.example.com/push/") == true)
        }
        let resident = try media(of: outcome).map(residentBytes)
        #expect(resident.count == push.names.count)
        #expect(resident.reduce(0, +) == outcome.memory("resident_bytes"))
        #expect(resident.reduce(0, +) <= Recipe().imageShareBytes)
        #expect(outcome.memory("share_bytes") == Recipe().imageShareBytes)
        #expect((outcome.memory("cap_bytes") != nil) == push.isCapped)
        if let cap = outcome.memory("cap_bytes") { #expect(resident.allSatisfy { $0 <= cap }) }
        #expect(scratch.files(below: "root/done") == push.files.keys.map { "push/\($0)" }.sorted())
        #expect(scratch.files(below: "root/work") == [])
    }

    @Test("a picture of a push that has room is the one that it is alone")
    func sameAlone() throws {
        let service = try RunningServe(root)
        service.wait(for: "ready")
        try PushFiles(files: ["a.jpg": Album.photo, "b.jpg": Album.busy]).put("push", in: scratch)
        try scratch.put(Album.busy, "busy.jpg")
        service.wait(for: "published", count: 2)
        service.stop()
        let alone = try #require(scratch.manifest("root/outbox/busy.jpg.json")?["output"] as? [String: Any])
        #expect(try outcome("push").paths.last == alone["path"] as? String)
    }

    struct Refusal: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var files: [String: [UInt8]] = [:]
        /// Made besides, as a directory.
        var directory: String?
        let code: String
        let message: String
        var statuses: [String] = []
    }

    static let refusals = [
        Refusal(
            testDescription: "a broken file",
            files: ["1.jpg": Album.photo, "2.jpg": Album.broken, "3.jpg": Album.other], code: "truncated",
            message: "2.jpg: ", statuses: ["planned", "rejected", "planned"]),
        Refusal(
            testDescription: "two bad files: the first is named, both are told",
            files: ["1.jpg": Album.photo, "2.txt": Array("text".utf8), "3.jpg": []], code: "unknown-type",
            message: "2.txt: ", statuses: ["planned", "rejected", "rejected"]),
        Refusal(testDescription: "nothing in it", directory: nil, code: "empty", message: "no attachments"),
        Refusal(
            testDescription: "a push.json alone", files: ["push.json": Array("{}".utf8)], code: "empty",
            message: "no attachments"),
        Refusal(
            testDescription: "a directory in it", files: ["1.jpg": Album.photo], directory: "inner",
            code: "not-a-regular-file", message: "inner: it is a directory"),
        Refusal(
            testDescription: "eleven attachments",
            files: Dictionary(uniqueKeysWithValues: (1...11).map { ("\($0).jpg", Album.photo) }),
            code: "too-many-attachments", message: "11 attachments"),
        Refusal(
            testDescription: "a push.json that is none",
            files: ["1.jpg": Album.photo, "push.json": Array("{".utf8)], code: "bad-push", message: "push.json: "),
        Refusal(
            testDescription: "an order that names a file that is not there",
            files: ["1.jpg": Album.photo, "push.json": PushFiles.order("1.jpg", "2.jpg")], code: "bad-push",
            message: "push.json: "),
        Refusal(
            testDescription: "an order that leaves a file out",
            files: ["1.jpg": Album.photo, "2.jpg": Album.photo, "push.json": PushFiles.order("1.jpg")],
            code: "bad-push", message: "2.jpg"),
        Refusal(
            testDescription: "a profile that there is not",
            files: ["1.jpg": Album.photo, "push.json": Array(#"{"profile":"nobody"}"#.utf8)], code: "bad-push",
            message: "nobody"),
    ]

    @Test("what is wrong with one file or with the push refuses all of it", arguments: refusals)
    func refused(_ push: Refusal) throws {
        let service = try RunningServe(root)
        service.wait(for: "ready")
        try FileManager.default.createDirectory(
            at: scratch.url.appending(path: "staged-push"), withIntermediateDirectories: true)
        if let directory = push.directory {
            try FileManager.default.createDirectory(
                at: scratch.url.appending(path: "staged-push/\(directory)"), withIntermediateDirectories: true)
        }
        try PushFiles(files: push.files).put("push", in: scratch)
        let event = try #require(service.wait(for: "published", "rejected").first)
        service.stop()
        #expect(event["event"] as? String == "rejected")
        let outcome = try outcome("push")
        #expect(outcome.code == push.code)
        #expect(outcome.message.contains(push.message), "\(outcome.message)")
        #expect(outcome.statuses == push.statuses)
        #expect(scratch.files(below: "root/outbox/media") == [])
        #expect(
            scratch.files(below: "root/rejected") == (push.files.keys.map { "push/\($0)" } + ["push.json"]).sorted())
        #expect(scratch.bytes("root/rejected/push.json") == scratch.bytes("root/outbox/push.json"))
    }

    @Test("the same push again, under another name, costs no decoder; another order is another push")
    func reused() throws {
        let service = try RunningServe(root)
        service.wait(for: "ready")
        let files = ["a.jpg": Album.photo, "b.jpg": Album.other]
        var reused: [String?] = []
        for (name, order) in [("one", nil), ("two", nil), ("three", PushFiles.order("b.jpg", "a.jpg"))] {
            var push = PushFiles(files: files)
            push.files["push.json"] = order
            try push.put(name, in: scratch)
            reused.append(service.wait(for: "published").first?["reused"] as? String)
        }
        service.stop()
        #expect(reused == [nil, "yes", nil])
        let (one, two, three) = (try outcome("one"), try outcome("two"), try outcome("three"))
        #expect(one.paths == two.paths && three.paths == one.paths.reversed())
        let source = two.attachments.first?["source"] as? [String: Any]
        #expect(source?["path"] as? String == "two/a.jpg")
        #expect(two.memory("resident_bytes") == one.memory("resident_bytes"))
    }

    @Test("where originals are deleted, a push is, but not a refused one")
    func deleted() throws {
        let service = try RunningServe(root, options: ["--originals", "delete"])
        service.wait(for: "ready")
        try PushFiles(files: ["a.jpg": Album.photo, "b.jpg": Album.other]).put("good", in: scratch)
        try PushFiles(files: ["a.jpg": Album.photo, "b.jpg": Album.broken]).put("bad", in: scratch)
        service.wait(for: "published", "rejected", count: 2)
        service.stop()
        for directory in ["inbox", "work", "done"] { #expect(scratch.files(below: "root/\(directory)") == []) }
        #expect(scratch.files(below: "root/rejected") == ["bad.json", "bad/a.jpg", "bad/b.jpg"])
        #expect(try outcome("good").names == ["a.jpg", "b.jpg"])
    }

    @Test("a push made in place is taken when the last file is there")
    func inPlace() throws {
        let service = try RunningServe(root)
        service.wait(for: "ready")
        for name in ["a.jpg", "b.jpg", "c.jpg"] { try scratch.write(Album.photo, to: "root/inbox/push/\(name)") }
        service.wait(for: "published")
        service.stop()
        #expect(try outcome("push").names == ["a.jpg", "b.jpg", "c.jpg"])
    }

    @Test("a push that a killed service had in work is tried once more, and then refused as a whole")
    func killedTwice() throws {
        let installation = try ProgramWithWorker("hooked-worker", in: scratch)
        let hang = Self.picture(Hook.sleep.rawValue, 90, 1)
        try PushFiles(files: ["1.jpg": Album.photo, "2.jpg": hang]).put("push", in: scratch)
        for _ in 1...2 {
            let service = try RunningServe(
                root, options: ["--deadline-seconds", "600", "--jobs", "1"], program: installation.program)
            service.wait(for: "ready")
            #expect(KilledWorkerTests.busyWorker(of: service.pid) != nil)
            service.kill(SIGKILL)
            #expect(service.waitForEnd() == -SIGKILL)
            #expect(scratch.files(below: "root/outbox/media") == [])
            #expect(scratch.bytes("root/outbox/push.json") == nil)
        }
        let last = try RunningServe(root, program: installation.program)
        let event = try #require(last.wait(for: "rejected").first)
        #expect(event["code"] as? String == "crashed")
        last.stop()
        #expect(scratch.files(below: "root/rejected") == ["push.json", "push/1.jpg", "push/2.jpg"])
        #expect(scratch.files(below: "root/work") == [])
    }

    @Test("a push in work when the service is stopped goes back to the inbox as a whole")
    func stopped() throws {
        let installation = try ProgramWithWorker("hooked-worker", in: scratch)
        let service = try RunningServe(
            root, options: ["--deadline-seconds", "600", "--jobs", "1"], program: installation.program)
        service.wait(for: "ready")
        let hang = Self.picture(Hook.sleep.rawValue, 90, 1)
        try PushFiles(files: ["1.jpg": Album.photo, "2.jpg": hang]).put("push", in: scratch)
        #expect(KilledWorkerTests.busyWorker(of: service.pid) != nil)
        for _ in 1...2 {
            service.kill(SIGTERM)
            service.wait(for: "stopping")
        }
        #expect(service.waitForEnd() == 0)
        #expect(scratch.files(below: "root/inbox") == ["push/1.jpg", "push/2.jpg"])
        #expect(scratch.files(below: "root/outbox/media") == [])
    }

    @Test("a decoder's crash refuses the push and names the file")
    func crash() throws {
        let installation = try ProgramWithWorker("hooked-worker", in: scratch)
        let service = try RunningServe(root, program: installation.program)
        service.wait(for: "ready")
        let poison = Self.picture(Hook.segmentation.rawValue, 90, 1)
        try PushFiles(files: ["1.jpg": Album.photo, "2.jpg": poison]).put("push", in: scratch)
        service.wait(for: "rejected")
        service.stop()
        let outcome = try outcome("push")
        #expect(outcome.code == "decoder-crashed")
        #expect(outcome.message.hasPrefix("2.jpg: "))
    }
}

extension ServePushTests.Case {
    /// Four of a picture that takes a third of the memory.
    fileprivate init(testDescription: String, isCappedWith picture: [UInt8]) {
        let names = ["1.jpg", "2.jpg", "3.jpg", "4.jpg"]
        self.init(
            testDescription: testDescription,
            files: Dictionary(uniqueKeysWithValues: names.map { ($0, picture) }), names: names, isCapped: true)
    }
}
