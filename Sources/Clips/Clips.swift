internal import AttachmentRules
internal import CAv
public import JobProtocol
internal import MediaProbe

/// One sound or film, from hostile bytes to what was measured of it: open, measure, decode, and a still picture of a film.
public enum Clips {
    /// Looks whether libav has what is needed and has it say what it says to `takeRemarks`; starts no thread and reads no
    /// file, now or later.
    public static func start() throws(ClipsError) {
        AvLog.take()
        guard shim_is_built_for(avformat_version(), avcodec_version(), swscale_version()) != 0 else {
            throw ClipsError(detail: "libav is another version than the one that this program was built for")
        }
        for name in ClipDecoders.names where avcodec_find_decoder_by_name(name) == nil {
            throw ClipsError(detail: "libavcodec has no decoder \(name)")
        }
        guard avcodec_find_encoder(AV_CODEC_ID_PNG) != nil else {
            throw ClipsError(detail: "libavcodec has no encoder of PNG")
        }
    }

    /// Takes what libav has said since this was last called, for the supervisor's log.
    public static func takeRemarks() -> [String] {
        AvLog.takeRemarks(atMost: JobReply.mostRemarks, longest: JobReply.longestRemark)
    }

    /// Measures what a request hands over; everything that can be wrong with it comes back as a refusal.
    ///
    /// - Parameters:
    ///   - source: the whole file; neither copied nor changed.
    ///   - write: gets the still picture, a PNG, once; is not called for sound.
    public static func process(
        _ source: UnsafeRawBufferPointer, request: JobRequest, write: (UnsafeRawBufferPointer) throws -> Void
    ) -> JobReply.Outcome {
        do throws(Rejection) {
            guard request.kind == .clip else {
                throw Rejection(.badReply, rule: .doesNotDecode, stage: .worker, "Only sound and film are read here.")
            }
            let type = request.facts.mediaType
            let measured = try Measurement.take(of: source, as: type)
            var decoding = try Decoding(of: source, as: type, measured)
            try decoding.run()
            let facts = decoding.facts(measured)
            let poster = decoding.takePoster()
            guard let poster else { return .clip(facts, posterBytes: 0) }
            return .clip(facts, posterBytes: try handOver(poster, to: write))
        } catch {
            return .refused(error)
        }
    }

    private static func handOver(
        _ poster: [UInt8], to write: (UnsafeRawBufferPointer) throws -> Void
    ) throws(Rejection) -> Int {
        guard poster.count <= JobRequest.mostPosterBytes else { return 0 }
        do {
            try poster.withUnsafeBytes { try write($0) }
        } catch {
            throw Rejection(
                .badReply, rule: .doesNotDecode, stage: .worker,
                "The still picture of \(poster.count) bytes could not be handed over (\(error)).")
        }
        return poster.count
    }
}

/// Why libav cannot be used at all.
public struct ClipsError: Error {
    /// The end of a sentence.
    public let detail: String
}
