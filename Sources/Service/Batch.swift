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
        if settings.makesGroups { return try runGroups(report) }
        let existing = settings.output.flatMap(OutputTree.status)
        let tree = try SourceTree(settings.sources, listed: settings.listed, output: existing)
        let items = BatchItem.plan(tree.files)
        // Only now: a slip of the pen in a SOURCE leaves no directory behind.
        var output: OutputTree?
        if let path = settings.output, !settings.isDryRun { output = try OutputTree(path) }
        report.begin(count: items.count, allowsWeakSandbox: settings.worker.allowsWeakSandbox)

        var publication: Publication?
        if let output { publication = try Publication(output, items: items) }
        let run = PictureRun(settings: settings, publication: publication)
        let lanes = Lanes(
            count: min(settings.jobs, items.count), worker: settings.worker, stop: stop,
            finish: { report.add($0) })
        try lanes.work(through: items.count) { (index, lanes) throws(BatchFailure) in
            let item = items[index]
            let outcome = try run.outcome(of: item, id: UInt64(index), on: lanes)
            report.warn(of: lanes.missingLayers)
            try report.tell(outcome, of: item.file.givenPath)
        }
        try output?.sync()
    }

    /// Each source is one push.
    private func runGroups(_ report: BatchReport) throws(BatchFailure) {
        let items = try GroupItem.plan(
            settings.sources, listed: settings.listed, output: settings.output.flatMap(OutputTree.status))
        var output: OutputTree?
        if let path = settings.output, !settings.isDryRun { output = try OutputTree(path) }
        report.begin(count: items.count, allowsWeakSandbox: settings.worker.allowsWeakSandbox)

        var publication: GroupPublication?
        if let output { publication = try GroupPublication(output, items: items) }
        let run = GroupRun(settings: settings, publication: publication)
        let lanes = Lanes(
            count: min(settings.jobs, items.count), worker: settings.worker, stop: stop,
            finish: { report.add($0) })
        try lanes.work(through: items.count) { (index, lane) throws(BatchFailure) in
            let item = items[index]
            let outcome = try run.outcome(of: item, number: index, on: lane)
            report.warn(of: lane.missingLayers)
            try report.tell(outcome, of: item.givenPath)
        }
        try output?.sync()
    }
}
