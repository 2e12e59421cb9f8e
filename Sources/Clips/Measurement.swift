internal import AttachmentRules
internal import CAv
internal import JobProtocol

/// What reading every packet of a file tells, before anything is decoded.
struct Measurement {
    /// One entry a stream, nil for those that are neither sound nor film.
    private(set) var tracks: [Int: Track] = [:]
    /// What the header says, in milliseconds.
    private(set) var headerMilliseconds: Int?

    /// One stream of sound or film.
    struct Track {
        private(set) var packets = 0
        private(set) var start: Double?
        private(set) var end: Double?
        private var lastStart: Double?
        private var lastStep = 0.0

        /// In seconds, from the first packet's start to the last one's end.
        var duration: Double {
            guard let start, let end else { return 0 }
            return end - start
        }

        mutating func add(_ packet: AVPacket, of stream: UnsafeMutablePointer<AVStream>) {
            packets += 1
            guard packet.flags & AV_PKT_FLAG_DISCARD == 0 else { return }
            let time = packet.pts != shim_no_time() ? packet.pts : packet.dts
            let known = max(0, stream.seconds(packet.duration))
            // Without a time it follows the one before.
            let begin = time != shim_no_time() ? stream.seconds(time) : end ?? 0
            if let lastStart, begin > lastStart { lastStep = begin - lastStart }
            lastStart = begin
            let length = known > 0 ? known : lastStep
            start = min(start ?? begin, begin)
            end = max(end ?? begin, begin + length)
        }
    }

    /// Of the longest track, in seconds.
    var seconds: Double { tracks.values.map(\.duration).max() ?? 0 }

    /// Most packets that are read: half an hour of film with sound has 200,000.
    private static let mostPackets = 2_000_000

    static func take(of source: UnsafeRawBufferPointer, as type: MediaType) throws(Rejection) -> Measurement {
        let input = try ClipInput(source, as: type)
        try checkCodecs(input, type)
        var measured = Measurement()
        for track in input.tracks { measured.tracks[Int(track.pointee.index)] = Track() }
        measured.headerMilliseconds = headerMilliseconds(of: input)
        try measured.readAll(input, source.count, type)
        guard measured.seconds.isFinite, measured.seconds * 1_000 < Double(JobReply.longestMilliseconds) else {
            throw .damaged("its times are nonsense")
        }
        guard measured.tracks.values.contains(where: { $0.packets > 0 }) else { throw .cut("there is no data in it") }
        if type == .mp3 { try measured.checkFrames() }
        return measured
    }

    private mutating func readAll(_ input: ClipInput, _ bytes: Int, _ type: MediaType) throws(Rejection) {
        let streams = input.streams
        var allocated = av_packet_alloc()
        defer { av_packet_free(&allocated) }
        guard let packet = allocated else { throw .outOfMemory }
        var count = 0
        while try input.read(packet) {
            defer { av_packet_unref(packet) }
            count += 1
            guard count <= Self.mostPackets else { throw .unsupported("It has more than \(Self.mostPackets) packets") }
            let index = Int(packet.pointee.stream_index)
            guard tracks[index] != nil, index < streams.count else { continue }
            if type.hasWholePackets, packet.pointee.flags & AV_PKT_FLAG_CORRUPT != 0 {
                throw .cut("it ends within a packet, or one is damaged")
            }
            tracks[index]?.add(packet.pointee, of: streams[index])
        }
        for stream in input.tracks { try Self.checkIndex(of: stream, bytes) }
    }

    /// The first of each kind has to be of a coding that the receiver decodes; what the others are is no matter: phones
    /// write tracks beside it that few can read.
    private static func checkCodecs(_ input: ClipInput, _ type: MediaType) throws(Rejection) {
        if let video = input.tracks.first(where: \.isVideo),
            CodecRules.objection(toVideo: video.codec, in: type)?.severity == .error
        {
            throw .codec(video.codec)
        }
        guard let audio = input.tracks.first(where: \.isAudio) else { return }
        if CodecRules.objection(toAudio: audio.codec, in: type)?.severity == .error {
            throw .codec(audio.codec)
        }
        let parameters = audio.pointee.codecpar.pointee
        guard parameters.sample_rate > 0, parameters.ch_layout.nb_channels > 0 else {
            throw .damaged("nothing says how its sound is to be played")
        }
    }

    /// Nil where libav had to guess.
    private static func headerMilliseconds(of input: ClipInput) -> Int? {
        let format = input.format.pointee
        guard format.duration_estimation_method == AVFMT_DURATION_FROM_STREAM, format.duration > 0 else { return nil }
        return min(Int(format.duration / 1_000), JobReply.longestMilliseconds)
    }

    /// The table of samples must not lead outside of the file.
    private static func checkIndex(of stream: UnsafeMutablePointer<AVStream>, _ bytes: Int) throws(Rejection) {
        for number in 0..<max(0, avformat_index_get_entries_count(stream)) {
            guard let entry = avformat_index_get_entry(stream, number)?.pointee else { continue }
            if entry.pos > Int64(bytes) || Int64(entry.size) > Int64(bytes) - max(entry.pos, 0) {
                throw .cut("its index tells of data behind its end")
            }
        }
    }

    /// An MP3's own header tells how many frames there are. Less are there where an upload broke off; a few may be
    /// missing, which encoders count otherwise.
    private func checkFrames() throws(Rejection) {
        guard let headerMilliseconds else { return }
        let told = Double(headerMilliseconds) / 1_000
        guard seconds >= told * 0.99 - 0.25 else {
            throw .cut("its header tells of \(Int(told)) s and there are \(Int(seconds)) s")
        }
    }
}

extension MediaType {
    /// Whether something says how long each packet is, so that a shorter one is damage. Where nothing does, the last one is
    /// as long as what is left, and the probe has held the file's length against its header.
    var hasWholePackets: Bool {
        switch self {
        case .wav, .aiff, .aifc, .caf, .au, .mp3, .mpeg2Video, .ac3, .eac3: false
        default: true
        }
    }
}
