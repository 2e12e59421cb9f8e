import Foundation
import Misbehaviour
import Scenes
import Testing

/// Decoders that crash, hang and run wild inside the sandbox, each over one picture of a batch.
@Suite struct HookedWorkerTests {
    let scratch: Scratch
    let installation: ProgramWithWorker
    static let good = ["a": Album.photo, "m": Album.sticker, "z": Album.other]

    init() throws {
        scratch = try Scratch()
        installation = try ProgramWithWorker("hooked-worker", in: scratch)
        for (name, bytes) in Self.good { try scratch.write(bytes, to: "in/\(name)") }
    }

    /// What is to be said of a hook's picture, beside the code.
    static func message(_ hook: Hook) -> String {
        switch hook {
        case .segmentation, .recursion, .crashUnlessFresh: "was killed by signal 11 (SIGSEGV)"
        case .abortion, .allocation: "was killed by signal 6 (SIGABRT)"
        case .busError: "was killed by signal 7 (SIGBUS)"
        case .illegalInstruction: "was killed by signal 4 (SIGILL)"
        case .forbiddenCall: "was killed by signal 31 (SIGSYS)"
        case .endlessResult: "was killed by signal 25 (SIGXFSZ)"
        case .exit: "exited with status 0"
        case .spin, .sleep: "had not finished after 3 s"
        }
    }

    @Test("each hook costs its own picture and nothing else", arguments: ["pooled", "per-image"])
    func hooks(isolation: String) throws {
        let plain = try Program().run(["batch", "in", "--output", "plain"], in: scratch.url)
        #expect(plain.status == 0, "\(plain.errors)")
        let hooks = Hook.allCases.filter { $0 != .crashUnlessFresh }
        for hook in hooks {
            try scratch.write(
                Scene(width: hook.rawValue, height: 90, seed: hook.rawValue).file(SceneFile(.jpeg())),
                to: "in/b-\(hook)")
        }
        let result = try installation.program.run(
            ["batch", "in", "--output", "out", "--json", "--jobs", "2", "--deadline", "3", "--isolation", isolation],
            in: scratch.url)
        #expect(result.status == 1)
        #expect(result.manifests.count == hooks.count + Self.good.count)
        let rejections = result.rejections
        #expect(Set(rejections.keys) == Set(hooks.map { "b-\($0)" }))
        for hook in hooks {
            let rejection = try #require(rejections["b-\(hook)"])
            let isHang = [.spin, .sleep].contains(hook)
            // To touch all that it may have takes long on a busy machine.
            if hook == .allocation, rejection.code == "decoder-timeout" { continue }
            #expect(rejection.code == (isHang ? "decoder-timeout" : "decoder-crashed"))
            #expect(rejection.message.contains(Self.message(hook)), "\(hook): \(rejection.message)")
        }
        // A crash is tried once more, and that of the allocation may be in time once and not again.
        let codes = rejections.values.map(\.code)
        let crashes = 2 * codes.count { $0 == "decoder-crashed" }
        let mayCrashOnce = rejections["b-\(Hook.allocation)"]?.code == "decoder-timeout"
        #expect((crashes...crashes + (mayCrashOnce ? 1 : 0)).contains(result.count("decoder crashes")))
        #expect(result.count("decoder timeouts") == codes.count { $0 == "decoder-timeout" })
        #expect(result.count("false answers") == 0)
        for name in Self.good.keys {
            #expect(scratch.bytes("out/\(name).jpg") == scratch.bytes("plain/\(name).jpg"))
        }
        #expect(scratch.files(below: "out").filter { !$0.hasSuffix(".json") } == ["a.jpg", "m.jpg", "z.jpg"])
        #expect(installation.processes.isEmpty)
    }

    @Test("what one picture leaves behind in a worker costs the next a second attempt at most")
    func leftBehind() throws {
        let picture = try Scene(width: Hook.crashUnlessFresh.rawValue, height: 90, seed: 9).file(SceneFile(.jpeg()))
        try scratch.write(picture, to: "in/b")
        let one = ["--json", "--jobs", "1"]
        let pooled = try installation.program.run(["batch", "in", "--output", "pooled"] + one, in: scratch.url)
        #expect(pooled.status == 0, "\(pooled.errors)")
        #expect(pooled.count("decoder crashes") == 1)
        let fresh = try installation.program.run(
            ["batch", "in", "--output", "fresh", "--isolation", "per-image"] + one, in: scratch.url)
        #expect(fresh.status == 0, "\(fresh.errors)")
        #expect(fresh.count("decoder crashes") == 0)
        #expect(scratch.bytes("pooled/b.jpg") == scratch.bytes("fresh/b.jpg"))
    }
}
