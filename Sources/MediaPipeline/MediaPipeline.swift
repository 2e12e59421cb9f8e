internal import AttachmentRules
internal import Exif
internal import Glibc
public import JobProtocol
internal import MediaProbe
public import Vips

/// One picture, from a hostile source to a result that was checked: identify, plan, render, encode, verify.
public enum MediaPipeline {
    /// Starts libvips and has it do what only its first picture needs; call it before a sandbox closes the file system.
    ///
    /// Starts no thread.
    public static func start() throws(VipsError) {
        // lcms dates its profiles, and the time zone is read from a file at the first such call.
        tzset()
        try Vips.start()
        try WarmUp.run()
    }

    /// Takes what libvips and GLib have said since this was last called, for the supervisor's log.
    public static func takeRemarks() -> [String] {
        Vips.takeWarnings(atMost: JobReply.mostRemarks, longest: JobReply.longestRemark)
    }

    /// Makes what a request asks for; everything that can be wrong with a picture comes back as a refusal.
    ///
    /// Synchronous, on the calling thread; different threads may work on different pictures.
    ///
    /// - Parameters:
    ///   - source: the picture's own stream (`request.pictureBytes`), then its EXIF block where `request.facts.exif` says
    ///     so; neither copied nor changed.
    ///   - write: gets the whole result, once, after it was verified; is not called for a plan, a check or a refusal.
    public static func process(
        _ source: UnsafeRawBufferPointer, request: JobRequest, write: (UnsafeRawBufferPointer) throws -> Void
    ) -> JobReply.Outcome {
        do throws(Rejection) {
            let recipe = request.recipe
            let (picture, exif) = try parts(of: source, request)
            var identified = try Identify.source(
                picture, exif: exif, facts: request.facts, allFrames: request.kind == .check)
            let size = Plan.size(width: identified.width, height: identified.height, recipe: recipe)
            if request.kind == .check {
                try Check.complete(picture, identified, facts: request.facts, planned: size)
                return .checked(identified.facts, PlannedSize(width: identified.width, height: identified.height))
            }
            if request.kind == .plan { return .planned(identified.facts, size) }

            let pixels = try Render.pixels(of: picture, &identified, size: size, background: recipe.background)
            let encoded = try Encode.toFit(pixels, recipe: recipe)
            var rendition = encoded.rendition
            rendition.focus = Focus.offset(in: encoded.encoder.pixels)
            if request.kind == .renderAndProve { rendition.proof = try encoded.proof(upTo: recipe.quality) }
            try encoded.result.blob.withBytes { bytes throws(Rejection) in
                try Verify.check(bytes, quality: rendition.quality, against: encoded.encoder.pixels)
                try handOver(bytes, to: write)
            }
            return .rendered(identified.facts, rendition)
        } catch {
            return .refused(error)
        }
    }

    /// The picture's stream, for a decoder, and what the block behind it says.
    private static func parts(
        of source: UnsafeRawBufferPointer, _ request: JobRequest
    ) throws(Rejection) -> (picture: UnsafeRawBufferPointer, exif: ExifFacts) {
        let block = request.facts.exif ?? source.count..<source.count
        guard request.pictureBytes >= 0, request.pictureBytes <= block.lowerBound, block.upperBound <= source.count
        else {
            throw Rejection(
                .badReply, rule: .doesNotDecode, stage: .worker,
                "The request speaks of bytes outside of the \(source.count) that came with it.")
        }
        let picture = UnsafeRawBufferPointer(rebasing: source[..<request.pictureBytes])
        return (picture, ExifFacts(source[block]))
    }

    private static func handOver(
        _ bytes: UnsafeRawBufferPointer, to write: (UnsafeRawBufferPointer) throws -> Void
    ) throws(Rejection) {
        do {
            try write(bytes)
        } catch {
            throw Rejection(
                .badReply, rule: .doesNotDecode, stage: .worker,
                "The result of \(bytes.count) bytes could not be handed over (\(error)).")
        }
    }
}
