internal import AttachmentRules
public import Kernel
internal import WorkerPool

/// Works through files and directories with one worker process a lane, and reports each outcome as it falls.
public struct Batch: Sendable {
    private let settings: BatchSettings
    private let stop: StopFlag

    /// - Parameter stop: once it is set no further picture is begun, and those that a decoder works on are given up.
    public init(_ settings: BatchSettings, stop: StopFlag) {
        self.settings = settings
        self.stop = stop
    }

    /// - Parameter report: is told every outcome.
    public func run(_ report: BatchReport) throws(BatchFailure) {
        let existing = settings.output.flatMap(OutputTree.status)
        if settings.makesGroups {
            let items = try GroupItem.plan(settings.sources, listed: settings.listed, output: existing)
            try work(through: items, report, place: { $0.givenPath }) { output throws(BatchFailure) in
                var publication: GroupPublication?
                if let output { publication = try GroupPublication(output, items: items) }
                let run = GroupRun(settings: settings, publication: publication)
                return { (item, index, lanes) throws(BatchFailure) in
                    try run.outcome(of: item, number: index, on: lanes)
                }
            }
        } else {
            let items = BatchItem.plan(
                try SourceTree(settings.sources, listed: settings.listed, output: existing).files)
            try work(through: items, report, place: { $0.file.givenPath }) { output throws(BatchFailure) in
                var publication: Publication?
                if let output { publication = try Publication(output, items: items) }
                let run = PictureRun(settings: settings, publication: publication)
                return { (item, index, lanes) throws(BatchFailure) in
                    try run.outcome(of: item, id: UInt64(index), on: lanes)
                }
            }
        }
    }

    /// Takes one item to its outcome; the number tells it from the others.
    private typealias Run<Item> = @Sendable (Item, Int, DecoderLanes) throws(BatchFailure) -> PictureOutcome

    /// - Parameters:
    ///   - place: where an item lies, as it was given.
    ///   - prepare: gives what each item is taken through; the output is nil in a dry run.
    private func work<Item: Sendable>(
        through items: [Item], _ report: BatchReport, place: @escaping @Sendable (Item) -> FilePath,
        _ prepare: (OutputTree?) throws(BatchFailure) -> Run<Item>
    ) throws(BatchFailure) {
        // Only now: a slip of the pen in a SOURCE leaves no directory behind.
        var output: OutputTree?
        if let path = settings.output, !settings.isDryRun { output = try OutputTree(path) }
        report.begin(count: items.count, allowsWeakSandbox: settings.worker.allowsWeakSandbox)
        let run = try prepare(output)
        let lanes = Lanes(
            count: min(settings.jobs, items.count), worker: settings.worker, stop: stop,
            finish: { report.add($0) })
        try lanes.work(through: items.count) { (index, lanes) throws(BatchFailure) in
            let item = items[index]
            let outcome = try run(item, index, lanes)
            report.warn(of: lanes.missingLayers)
            try report.tell(outcome, of: place(item))
        }
        try output?.sync()
    }
}
