internal import Glibc
internal import Kernel

/// `mediaprep-bench SCENARIO`: what mediaprep costs, as ratios within one run.
@main struct MediaprepBench {
    static func main() {
        let arguments = CommandLine.arguments.dropFirst()
        do {
            switch arguments.first {
            case "isolation": try IsolationScenario.run(photos: Array(arguments.dropFirst()))
            case "--help", "-h": print(usage, terminator: "")
            default: leave(2, usage)
            }
        } catch {
            leave(3, "mediaprep-bench: \(error)\n")
        }
    }

    private static func leave(_ status: Int32, _ text: String) -> Never {
        try? StandardStream.error.writeAll(Array(text.utf8).span)
        exit(status)
    }

    private static let usage = """
        Usage: mediaprep-bench SCENARIO [FILE...]

        Scenarios:
          isolation   a small picture and FILEs (a photo of 12 megapixels that it makes
                      where there are none) in this process, in pooled workers and in a
                      fresh worker each, with and without the sandbox; and the batch
                      over copies of the photo with and without it

        Times are medians over rounds in which all ways take turns. Needs a machine that
        does nothing else.

        """
}
