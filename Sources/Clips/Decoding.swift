internal import AttachmentRules
internal import CAv

/// Decodes what was measured, and keeps the frame for the still picture.
struct Decoding {
    private let input: ClipInput
    /// By the stream's number.
    private var decoders: [Int: StreamDecoder] = [:]
    private let video: Int?
    private let audio: Int?
    private var poster: PosterSearch
    private let keyFramesOnly: Bool
    private var isWhole: Bool
    /// Pixels that may still be decoded.
    private var budget: Int

    /// - Parameter mostPixels: are decoded; at the 100 million a second of H.264 on one processor, 40 s.
    init(
        of source: UnsafeRawBufferPointer, as type: MediaType, _ measured: Measurement, mostPixels: Int = 4_000_000_000
    ) throws(Rejection) {
        input = try ClipInput(source, as: type)
        let tracks = input.tracks
        video = tracks.first(where: \.isVideo).map { Int($0.pointee.index) }
        audio = tracks.first(where: \.isAudio).map { Int($0.pointee.index) }
        var pixels = 0
        for track in tracks {
            let objection =
                track.isVideo
                ? CodecRules.objection(toVideo: track.codec, in: type)
                : CodecRules.objection(toAudio: track.codec, in: type)
            let index = Int(track.pointee.index)
            guard objection?.severity != .error else { continue }
            decoders[index] = try StreamDecoder(track, isLastFrameLoose: !type.hasWholePackets)
            if track.isVideo { pixels += track.pixels * (measured.tracks[index]?.packets ?? 0) }
        }
        keyFramesOnly = pixels > mostPixels
        budget = mostPixels
        isWhole = !keyFramesOnly
        poster = PosterSearch(
            start: video.flatMap { measured.tracks[$0]?.start } ?? 0,
            duration: video.flatMap { measured.tracks[$0]?.duration } ?? 0)
    }

    mutating func run() throws(Rejection) {
        var allocated = av_packet_alloc()
        defer { av_packet_free(&allocated) }
        guard let packet = allocated else { throw .outOfMemory }
        while try input.read(packet) {
            defer { av_packet_unref(packet) }
            try decode(packet, Int(packet.pointee.stream_index))
        }
        for index in decoders.keys.sorted() { try decode(nil, index) }
        for index in [video, audio] {
            if let index, let decoder = decoders[index], decoder.frames == 0 {
                throw .damaged("nothing comes out of its \(decoder.stream.codec) data")
            }
        }
    }

    private mutating func decode(_ packet: UnsafeMutablePointer<AVPacket>?, _ index: Int) throws(Rejection) {
        guard let decoder = decoders[index] else { return }
        if let packet, decoder.stream.isVideo {
            if keyFramesOnly, packet.pointee.flags & AV_PKT_FLAG_KEY == 0 { return }
            if budget <= 0 {
                isWhole = false
                return
            }
        }
        let isPoster = index == video
        var (budget, poster) = (self.budget, self.poster)
        try decoder.decode(packet) { frame throws(Rejection) in
            guard decoder.stream.isVideo else { return }
            let (width, height) = (Int(frame.pointee.width), Int(frame.pointee.height))
            // A stream can change its size as it likes.
            guard (1...longestSide).contains(width), (1...longestSide).contains(height) else {
                throw .unsupported("Its film has \(width) x \(height) pixels")
            }
            budget -= width * height
            if isPoster {
                let time = frame.pointee.best_effort_timestamp
                poster.offer(frame, at: time == shim_no_time() ? 0 : decoder.stream.seconds(time))
            }
        }
        (self.budget, self.poster) = (budget, poster)
    }

    func facts(_ measured: Measurement) -> ClipFacts {
        var facts = ClipFacts(durationMilliseconds: Int((measured.seconds * 1_000).rounded()))
        facts.headerMilliseconds = measured.headerMilliseconds
        facts.isDecodedWhole = isWhole
        if let video, let decoder = decoders[video] {
            let shape = Shape(of: decoder.stream, frame: poster.frame)
            facts.video = ClipFacts.Video(
                codec: decoder.stream.codec, width: shape.width, height: shape.height, frames: decoder.frames)
            facts.stillMilliseconds = poster.time.map { Int(($0 * 1_000).rounded()) }
        }
        if let audio, let decoder = decoders[audio] {
            let parameters = decoder.stream.pointee.codecpar.pointee
            facts.audio = ClipFacts.Audio(
                codec: decoder.stream.codec, sampleRate: Int(parameters.sample_rate),
                channels: Int(parameters.ch_layout.nb_channels))
        }
        return facts
    }

    /// The still picture as a PNG; nil for sound, and where none can be made.
    func takePoster() -> [UInt8]? {
        guard let video, let decoder = decoders[video], let frame = poster.frame else { return nil }
        return Poster.png(of: frame, shape: Shape(of: decoder.stream, frame: frame))
    }
}

extension UnsafeMutablePointer<AVStream> {
    fileprivate var pixels: Int { Int(pointee.codecpar.pointee.width) * Int(pointee.codecpar.pointee.height) }
}
