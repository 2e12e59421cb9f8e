internal import FoundationEssentials
internal import Kernel
internal import MediaPipeline
internal import Scenes
internal import WorkerPool

/// What it costs to decode in another process, and in one that is shut in.
enum IsolationScenario {
    private static let rounds = 7
    /// Pictures of one way in one round.
    private static let pictures = 32

    /// A way to have a picture made.
    private struct Way {
        let name: String
        /// nil for this process.
        let configuration: WorkerConfiguration?
    }

    static func run(photos: [String]) throws {
        try MediaPipeline.start()
        let tiny = try Scene(width: 64, height: 64).file(SceneFile(.jpeg()))
        try compare(Picture(name: "64x64 JPEG", bytes: tiny), ways: ways())
        var files = try photos.map { (name: $0, bytes: Array(try Data(contentsOf: URL(filePath: $0)))) }
        if files.isEmpty {
            files = [
                ("4032x3024 JPEG", try Scene(width: 4032, height: 3024, seed: 3, detail: 3).file(SceneFile(.jpeg())))
            ]
        }
        for file in files {
            try compare(Picture(name: file.name, bytes: file.bytes), ways: ways())
        }
        try BatchComparison(photo: files[0].bytes).run()
    }

    private static func ways() throws -> [Way] {
        let directory = try RunningProgram.path().removingLastComponent
        func configuration(_ program: FilePath, jobs: Int) -> WorkerConfiguration {
            var configuration = WorkerConfiguration(executable: directory.appending(program))
            configuration.jobsPerWorker = jobs
            return configuration
        }
        return [
            Way(name: "in this process", configuration: nil),
            Way(name: "pooled", configuration: configuration("mediaprep-worker", jobs: 64)),
            Way(name: "pooled, no sandbox", configuration: configuration("unconfined-worker", jobs: 64)),
            Way(name: "per image", configuration: configuration("mediaprep-worker", jobs: 1)),
            Way(name: "per image, no sandbox", configuration: configuration("unconfined-worker", jobs: 1)),
        ]
    }

    /// Lets every way make the picture in each round; a round's times are held against its own first way.
    private static func compare(_ picture: borrowing Picture, ways: [Way]) throws {
        var walls = [[Double]](repeating: [], count: ways.count)
        var cpus = walls
        for round in 0...rounds {
            for (index, way) in ways.enumerated() {
                let (wall, cpu) = try measure(picture, way)
                // The first round warms up.
                if round > 0 {
                    walls[index].append(wall)
                    cpus[index].append(cpu)
                }
            }
        }
        print("\(picture.name), \(pictures) a round, medians of \(rounds) rounds")
        print("  \(column("ms", 33))\(column("more", 9))\(column("CPU ms", 9))\(column("more", 9))")
        for (index, way) in ways.enumerated() {
            let more = zip(walls[index], walls[0]).map { $0 - $1 }.median
            let moreCPU = zip(cpus[index], cpus[0]).map { $0 / $1 * 100 - 100 }.median
            print(
                "  " + way.name.padding(to: 24) + column(hundredths(walls[index].median), 9)
                    + column(hundredths(more), 9) + column(hundredths(cpus[index].median), 9)
                    + column(hundredths(moreCPU) + "%", 9))
        }
    }

    /// Milliseconds a picture: the median of the wall, the mean of the CPU. Starting the program that workers are forked
    /// from is not in it, their forks and ends are.
    private static func measure(_ picture: borrowing Picture, _ way: Way) throws -> (wall: Double, cpu: Double) {
        var walls: [Double] = []
        guard let configuration = way.configuration else {
            let whole = try Sample.taking {
                for _ in 0..<pictures { walls.append(try Sample.taking { try picture.processHere() }.wall) }
            }
            return (walls.median, whole.cpu / Double(pictures))
        }
        let start = try Sample.taking {
            let lane = WorkerLane(configuration)
            try lane.start()
            lane.close()
        }
        let whole = try Sample.taking {
            let lane = WorkerLane(configuration)
            // The first picture finds no worker that was forked beforehand.
            try picture.process(on: lane)
            for _ in 0..<pictures { walls.append(try Sample.taking { try picture.process(on: lane) }.wall) }
            lane.close()
        }
        return (walls.median, (whole.cpu - start.cpu) / Double(pictures + 1))
    }
}

extension String {
    fileprivate func padding(to width: Int) -> String {
        self + String(repeating: " ", count: Swift.max(width - count, 0))
    }
}
