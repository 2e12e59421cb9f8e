internal import AttachmentRules
internal import Kernel
internal import Service

/// `mediaprep estimate`: what a phone would need for each file.
enum EstimateCommand {
    static func run(_ arguments: [[UInt8]]) -> CommandEnd {
        do {
            var table = OptionTable()
            let profile = table.bytes("profile", argument: "NAME", "Receiver, as mediaprep profiles lists them (ios)")
            let config = table.bytes("config", argument: "FILE", "Key file with profiles of your own")
            let base = table.number("base", argument: "BYTES", "What the extension uses before, 0-1000000000 (8388608)")
            let json = table.flag("json", "One JSON object a file on standard output")
            let operands = try table.parse(
                arguments, program: program, operands: "FILE...", summary: summary, description: description)
            guard !operands.isEmpty else { throw UsageError(message: "no FILE was given") }
            var estimator = Estimator(profile: try ReceiverOption.profile(profile.value, config: config.value).profile)
            estimator.baseBytes = try base.value(in: 0...1_000_000_000, standard: estimator.baseBytes)
            return try tell(estimator, operands.map { FilePath(bytes: $0) }, asJSON: json.isSet)
        } catch let failure as BatchFailure {
            return .usage("\(program): \(failure.sentence)\n")
        } catch {
            return .wrongRequest(error, program: program)
        }
    }

    private static func tell(
        _ estimator: Estimator, _ files: [FilePath], asJSON: Bool
    ) throws(BatchFailure) -> CommandEnd {
        var isWhole = true
        var heading = asJSON ? "" : "base \(ByteText.both(estimator.baseBytes)), assumed\n\n"
        try estimator.run(files) { (estimate) throws(BatchFailure) in
            isWhole = isWhole && estimate.failure == nil
            try write(asJSON ? JSONLine.of(estimate) : Array((heading + EstimateTable(estimate).text).utf8))
            heading = ""
        }
        return isWhole ? .success : .complaints
    }

    private static func write(_ bytes: [UInt8]) throws(BatchFailure) {
        do throws(Errno) {
            try StandardStream.output.writeAll(bytes.span)
        } catch {
            throw .standardOutput(error)
        }
    }

    private static let program = "mediaprep estimate"

    private static let summary = """
        Tells what a phone would need to attach and to show each FILE as it is, and what
        it would need after mediaprep: the decoded bitmap, the peak for each way of
        using it, and how that stands to the memory that extensions have. Directories
        are searched. Nothing is decoded, so files may have any size.
        """

    private static let description = """
        A bitmap has 4 bytes a pixel, or 8 above 8 bits a component, in rows of a
        multiple of 64 bytes; resident is in pages of 16384 bytes. The peaks are those
        of an extension that uses --base bytes before: attach_stream moves the file,
        attach_data reads it first, display decodes it, display_copy holds it twice,
        reencode_in_nse decodes, draws and encodes it, animate_all keeps every frame,
        downsample decodes to the size that mediaprep would make. A budget is a warning
        above 80 % of it and an error above all of it. Of sounds and films only the
        peaks of attaching are told. What a verdict is does not count for the status.

        Exit status:
          0  everything was estimated
          1  some files cannot be: no picture, sound or film, or not to be read
          2  the command line is wrong, or the program could not do its own work
        """
}
