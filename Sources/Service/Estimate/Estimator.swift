public import AttachmentRules
public import Kernel
internal import MediaProbe

/// Tells what a phone would need for files of any size, from their structure alone.
public struct Estimator: Sendable {
    /// The receiver: its recipe decides what comes after mediaprep.
    public var profile: Profile
    /// What the extension's process is assumed to use before it has a picture, in bytes.
    public var baseBytes = DecodedMemory.assumedBase

    public init(profile: Profile) {
        self.profile = profile
    }

    /// The daemon's limits without those that only bound its time; what is left bounds the memory that a walk takes here.
    static let limits: Limits = {
        var limits = Limits()
        limits.fileBytes = .max
        limits.scans = .max
        // A pair of offsets for each at most.
        limits.segments = 1_000_000
        limits.applicationBytes = .max
        limits.ancillaryBytes = .max
        // A HEIF's boxes are remembered, 40 bytes each.
        limits.chunks = 1_000_000
        limits.subBlocks = .max
        limits.strips = .max
        // A TIFF's pages are remembered, eight bytes each.
        limits.frames = 1_000_000
        // 200 bytes each.
        limits.items = 100_000
        return limits
    }()

    /// - Parameters:
    ///   - sources: files, and directories to be searched.
    ///   - tell: gets each estimate as it is made.
    public func run(_ sources: [FilePath], tell: (FileEstimate) throws(BatchFailure) -> Void) throws(BatchFailure) {
        for file in try SourceTree(reading: sources).files { try tell(estimate(of: file)) }
    }

    func estimate(of file: SourceFile) -> FileEstimate {
        var estimate = FileEstimate(file: file.givenPath.display, profile: profile.name, baseBytes: baseBytes)
        do throws(Rejection) {
            try fill(&estimate, from: file)
        } catch {
            estimate.failure = error.message
        }
        return estimate
    }

    private func fill(_ estimate: inout FileEstimate, from file: SourceFile) throws(Rejection) {
        let header = try FileHeader(of: file, limits: Self.limits)
        estimate.bytes = header.bytes
        estimate.mediaType = header.mediaType
        estimate.family = header.mediaType?.family
        if let family = estimate.family, family != .image {
            estimate.asIs = FileEstimate.Need(
                fileBytes: header.bytes,
                attaching: ["attach_stream": baseBytes, "attach_data": baseBytes.saturatingSum(header.bytes)])
            return
        }
        let facts = try header.facts.get()
        estimate.width = facts.width
        estimate.height = facts.height
        guard let upright = header.upright else { return }
        estimate.orientation = upright.orientation
        estimate.isComplete = facts.isComplete
        let planned = Plan.size(width: upright.width, height: upright.height, recipe: profile.recipe)
        let target = DecodedMemory(width: planned.width, height: planned.height, bitsPerComponent: 8)
        estimate.asIs = need(
            width: upright.width, height: upright.height, bits: facts.bitsPerComponent, frames: facts.frames,
            fileBytes: header.bytes, target: target)
        if let refusal = refusal(of: header, facts) {
            estimate.refusal = refusal.message
        } else {
            estimate.after = need(
                width: planned.width, height: planned.height, bits: 8, frames: 1,
                fileBytes: profile.recipe.maxBytes, target: target)
        }
    }

    /// Why mediaprep would not make a picture of it, as far as that shows without decoding.
    private func refusal(of header: FileHeader, _ facts: MediaFacts) -> Rejection? {
        let limits = Limits()
        guard header.bytes <= limits.fileBytes else {
            return Intake.tooLarge(header.bytes, limits)
        }
        do throws(Rejection) {
            try MediaProbe.admit(facts, limits: limits)
            return nil
        } catch {
            return error
        }
    }

    private func need(
        width: Int, height: Int, bits: Int, frames: Int, fileBytes: Int, target: DecodedMemory
    ) -> FileEstimate.Need {
        let memory = DecodedMemory(width: width, height: height, bitsPerComponent: bits)
        let peaks = memory.peaks(fileBytes: fileBytes, frames: frames, target: target, base: baseBytes)
        let told = Manifest.Memory(memory, peaks: peaks, base: baseBytes, for: profile)
        let ratio = (Double(height) / Double(width) * 10_000).rounded() / 10_000
        let picture = FileEstimate.Picture(
            width: width, height: height, bitsPerComponent: bits, frames: frames, memory: told, contentSizeRatio: ratio,
            cards: CardGeometry.cards(contentSizeRatio: ratio))
        return FileEstimate.Need(fileBytes: fileBytes, picture: picture)
    }
}

extension Int {
    fileprivate func saturatingSum(_ other: Int) -> Int {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? .max : sum
    }
}
