internal import CAv

/// Looks for the frame that stands for a film: the one at a tenth of it, one second in at most, and where that shows
/// nothing, the first of some later ones that does.
struct PosterSearch {
    /// Frames that are looked at after the first one.
    private static let candidates = 12
    /// Standard deviation of brightness, of 255, from which on a frame shows something. Black frames of real films have
    /// under 3, fades under 8.
    private static let enough = 12.0

    private let start: Double
    private let step: Double
    private var next: Double
    private var best: Held?
    private var spread = -1.0
    private var isSettled = false

    /// - Parameters:
    ///   - start: when the film begins, in seconds.
    ///   - duration: how long it lasts, in seconds.
    init(start: Double, duration: Double) {
        self.start = start
        let offset = min(1, duration / 10)
        next = start + offset
        step = max(0, duration - offset) / Double(Self.candidates)
    }

    /// The best so far.
    var frame: UnsafeMutablePointer<AVFrame>? { best?.frame }

    /// When that is shown, in seconds from the start of the film.
    private(set) var time: Double?

    /// - Parameter time: of this frame, in seconds; frames come in the order in which they are shown.
    mutating func offer(_ frame: UnsafeMutablePointer<AVFrame>, at time: Double) {
        guard !isSettled, best == nil || time >= next else { return }
        if time >= next { next = time + step }
        guard let found = Brightness.spread(of: frame), found > spread, let held = Held(frame) else { return }
        // A frame of before the time only stands in.
        isSettled = found >= Self.enough && time >= next - step
        spread = isSettled || time >= next - step ? found : min(found, Self.enough - 1)
        best = held
        self.time = max(0, time - start)
    }

    /// A reference to a frame.
    private final class Held {
        private(set) var frame: UnsafeMutablePointer<AVFrame>?

        init?(_ other: UnsafeMutablePointer<AVFrame>) {
            frame = av_frame_clone(other)
            if frame == nil { return nil }
        }

        deinit { av_frame_free(&frame) }
    }
}

/// How much there is to see in a frame.
private enum Brightness {
    private static let side = 32

    /// The standard deviation of its brightness, of 255, from a small copy.
    static func spread(of frame: UnsafeMutablePointer<AVFrame>) -> Double? {
        guard
            let values = Scaling.pixels(
                of: frame, width: side, height: side, format: AV_PIX_FMT_GRAY8, bytesPerPixel: 1)
        else { return nil }
        let mean = values.reduce(0) { $0 + Double($1) } / Double(values.count)
        let squares = values.reduce(0) { $0 + (Double($1) - mean) * (Double($1) - mean) }
        return (squares / Double(values.count)).squareRoot()
    }
}
