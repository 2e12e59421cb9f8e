internal import FoundationEssentials
internal import Glibc
internal import Kernel

/// `mediaprep batch` over copies of one photo, with the worker that is installed and with one that is not confined.
struct BatchComparison {
    private static let rounds = 9
    private static let copies = 40
    private let photo: [UInt8]

    init(photo: [UInt8]) {
        self.photo = photo
    }

    func run() throws {
        let programs = try RunningProgram.path().removingLastComponent
        let root = FileManager.default.temporaryDirectory.appending(path: "mediaprep-bench-\(getpid())")
        let files = FileManager.default
        try files.createDirectory(at: root.appending(path: "in"), withIntermediateDirectories: true)
        defer { try? files.removeItem(at: root) }
        for number in 0..<Self.copies {
            // Another byte behind the picture makes it another file.
            try Data(photo + [UInt8(number)]).write(to: root.appending(path: "in/\(number).jpg"))
        }
        for (directory, worker) in [("confined", "mediaprep-worker"), ("unconfined", "unconfined-worker")] {
            let target = root.appending(path: directory)
            try files.createDirectory(at: target, withIntermediateDirectories: true)
            for (from, to) in [("mediaprep", "mediaprep"), (worker, "mediaprep-worker")] {
                try files.copyItem(atPath: "\(programs.display)/\(from)", toPath: target.appending(path: to).path)
            }
        }
        var ways: [(name: String, program: String, option: String, seconds: [Double])] = [
            ("pooled, no sandbox", "unconfined", "--isolation=pooled", []),
            ("pooled", "confined", "--isolation=pooled", []),
            ("per image", "confined", "--isolation=per-image", []),
        ]
        for round in 0...Self.rounds {
            for index in ways.indices {
                let output = root.appending(path: "out")
                try? files.removeItem(at: output)
                let sample = try Sample.taking {
                    try spawn([
                        root.appending(path: ways[index].program + "/mediaprep").path, "batch",
                        root.appending(path: "in").path, "--output", output.path, "--quiet", ways[index].option,
                    ])
                }
                if round > 0 { ways[index].seconds.append(sample.wall / 1000) }
            }
        }
        print("batch of \(Self.copies) photos, medians of \(Self.rounds) rounds")
        for way in ways {
            let ratio = zip(ways[0].seconds, way.seconds).map { $0 / $1 }.median
            print(
                "  " + column(way.name, 18) + column(hundredths(Double(Self.copies) / way.seconds.median), 9)
                    + " pictures/s, \(hundredths(ratio)) of no sandbox")
        }
    }

    private func spawn(_ command: [String]) throws {
        var pid: pid_t = 0
        let arguments = command.map { strdup($0) } + [nil]
        defer { for argument in arguments { free(argument) } }
        var status: Int32 = 0
        guard posix_spawn(&pid, command[0], nil, nil, arguments, environ) == 0, waitpid(pid, &status, 0) == pid,
            status == 0
        else { throw Picture.Failure(what: command.joined(separator: " ") + " failed") }
    }
}
