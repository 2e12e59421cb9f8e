extension Manifest.Output {
    /// A sound or film that is published as it is.
    public init(_ clip: ClipFacts, as type: MediaType) {
        metadataStripped = false
        family = type.family ?? .movie
        mediaType = type
        uti = type.uti ?? ""
        fileExtension = type.preferredExtension
        duration = Double(clip.durationMilliseconds) / 1_000
        guard let video = clip.video else { return }
        width = video.width
        height = video.height
        aspectRatio = Self.ratio(video.width, video.height)
        contentSizeRatio = Self.ratio(video.height, video.width)
    }
}
