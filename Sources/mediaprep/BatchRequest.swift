internal import AttachmentRules
internal import Glibc
internal import Kernel
internal import Service
internal import WorkerPool

/// What the command line of `mediaprep batch` asks for.
struct BatchRequest {
    private(set) var settings: BatchSettings
    private(set) var printsManifests = false
    private(set) var isQuiet = false
    private(set) var printsVersion = false

    init(_ arguments: [[UInt8]]) throws {
        var table = OptionTable()
        let output = table.bytes("output", short: "o", argument: "DIR", "Where results and manifests go")
        let jobs = table.number("jobs", argument: "N", "Pictures worked on at once, 1-256 (one a processor)")
        let profile = table.bytes("profile", argument: "NAME", "The receiver: see mediaprep profiles (ios)")
        let config = table.bytes("config", argument: "FILE", "Key file with profiles of your own")
        let shortEdge = table.number("short-edge", argument: "PX", "Longest short edge, 16-4096 (600)")
        let quality = table.number("quality", argument: "Q", "JPEG quality where it fits, 1-100 (80)")
        let maxBytes = table.number("max-bytes", argument: "N", "Hard limit, 1000-10000000 (100000)")
        let background = table.bytes("background", argument: "#RRGGBB", "What transparency is laid on (#ffffff)")
        let deadline = table.number("deadline", argument: "S", "Longest for a picture, 1-3600 s (10); a film: 6 times")
        let isolation = table.bytes("isolation", argument: "HOW", "Decoders: pooled, or per-image (pooled)")
        let weakSandbox = table.flag("allow-weak-sandbox", "Decode where the kernel lacks part of the sandbox")
        let filesFrom = table.bytes("files-from", argument: "FILE", "More sources; - for standard input")
        let group = table.flag("group", "Each SOURCE is a directory that is one push")
        let dryRun = table.flag("dry-run", short: "n", "Probe and plan only; needs no --output")
        let json = table.flag("json", "One manifest a line on standard output")
        let force = table.flag("force", "Make unchanged results again")
        let check = table.flag("check-quality", "Make all again, prove each the best that fits")
        let quiet = table.flag("quiet", short: "q", "No progress, no table; refusals are told")
        let version = table.flag("version", "Print the version")
        let sources = try table.parse(
            arguments, program: "mediaprep batch", operands: "SOURCE... --output DIR", summary: Self.summary,
            description: Self.description)

        settings = BatchSettings(
            jobs: try jobs.value(in: 1...256, standard: max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))))),
            worker: WorkerConfiguration(executable: try InstalledWorker.path()))
        printsVersion = version.isSet
        if printsVersion { return }
        settings.sources = sources.map { FilePath(bytes: $0) }
        if let file = filesFrom.value { settings.listed = try SourceList.read(FilePath(bytes: file)) }
        guard !settings.sources.isEmpty || filesFrom.value != nil else {
            throw UsageError(message: "no SOURCE was given")
        }
        guard !(settings.sources + settings.listed).contains(where: \.isEmpty) else {
            throw UsageError(message: "a SOURCE is empty")
        }
        settings.output = output.value.map { FilePath(bytes: $0) }
        settings.isDryRun = dryRun.isSet
        guard settings.isDryRun || settings.output?.isEmpty == false else {
            throw UsageError(message: "--output DIR is missing")
        }
        (settings.profile, settings.profiles) = try ReceiverOption.profile(profile.value, config: config.value)
        settings.recipe.shortEdge = try shortEdge.value(in: 16...4096, standard: settings.recipe.shortEdge)
        settings.recipe.quality = try quality.value(in: 1...100, standard: settings.recipe.quality)
        settings.recipe.qualityFloor = min(settings.recipe.qualityFloor, settings.recipe.quality)
        settings.recipe.maxBytes = try maxBytes.value(in: 1000...10_000_000, standard: settings.recipe.maxBytes)
        if let bytes = background.value {
            let text = String(decoding: bytes, as: UTF8.self)
            guard let color = Recipe.Background(hex: text) else {
                throw UsageError(message: "--background takes #RRGGBB, not \"\(FilePath(bytes: bytes))\"")
            }
            settings.recipe.background = color
        }
        settings.worker.jobDeadline = .seconds(try deadline.value(in: 1...3600, standard: 10))
        // A push may name any profile; each result is held against its own limit.
        let others = group.isSet ? settings.profiles.map(\.recipe.maxBytes) : []
        settings.worker.resultBytes = others.reduce(settings.recipe.maxBytes, max)
        settings.worker.allowsWeakSandbox = weakSandbox.isSet
        if let bytes = isolation.value {
            switch String(decoding: bytes, as: UTF8.self) {
            case "pooled": break
            case "per-image": settings.worker.jobsPerWorker = 1
            default:
                throw UsageError(message: "--isolation takes pooled or per-image, not \"\(FilePath(bytes: bytes))\"")
            }
        }
        guard !(dryRun.isSet && check.isSet) else {
            throw UsageError(message: "--check-quality has nothing to check in a --dry-run")
        }
        guard !(group.isSet && check.isSet) else {
            throw UsageError(message: "--check-quality is for single files, not for --group")
        }
        settings.makesGroups = group.isSet
        settings.isForced = force.isSet
        settings.checksQuality = check.isSet
        printsManifests = json.isSet
        isQuiet = quiet.isSet
    }

    private static let summary = """
        Turns each picture into a JPEG that a push notification can show: upright, sRGB,
        stripped, short edge at most 600 pixels, at most 100,000 bytes. Sound and films
        are read to their end and, where phones play them, published as they are; a
        film also gets a still picture.
        Directories are searched and their tree is mirrored below DIR: IMG.HEIC
        becomes IMG.jpg, with the manifest IMG.HEIC.json beside it. A file that cannot
        be made right is refused, and its manifest says why. What an earlier run made
        from the same bytes with the same settings is left as it is. Symbolic
        links, FIFOs, sockets and devices are never opened.
        """

    private static let description = """
        Several directories are mirrored below their own names. The list of
        --files-from is separated by NULs if it holds any, else by line feeds; listed
        files keep their path below DIR.

        With --group each SOURCE directory is one push: its files are the attachments,
        all of them or none, in the order of its push.json or of their names, and small
        enough together for a phone. Its outcome is the directory DIR/NAME with the
        results and their one manifest, manifest.json, which appears as a whole.

        Files are decoded by processes that are shut in: no files, no network, no
        other programs, bounded memory and time. With --isolation pooled one of them
        serves up to 64 files, with per-image each file has a fresh one. Where the
        kernel lacks a part of that, nothing is decoded unless --allow-weak-sandbox says
        so; a warning then tells what is missing.

        Exit status:
          0  everything is published or unchanged
          1  some files were refused, or --check-quality found a better one
          2  the command line is wrong
          3  the program could not do its own work (disk full, no worker, DIR in use)
        """
}
