/// Shapes from the narrowest to the widest, as width to height.
public struct RatioRange: Equatable, Sendable {
    /// Width and height whose quotient counts; both from 1 to 10,000.
    public struct Ratio: Equatable, Sendable {
        public let width: Int
        public let height: Int

        fileprivate init?(_ text: Substring) {
            let parts = text.split(separator: ":", omittingEmptySubsequences: false)
            guard parts.count == 2, let width = Self.part(parts[0]), let height = Self.part(parts[1]) else {
                return nil
            }
            self.width = width
            self.height = height
        }

        private static func part(_ text: Substring) -> Int? {
            guard (1...5).contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
                let number = Int(text), (1...10_000).contains(number)
            else { return nil }
            return number
        }
    }

    public let narrowest: Ratio
    public let widest: Ratio

    /// Reads `1:1-2:1`, or `2:1` for a single shape; nil for what is neither, or whose ends are the wrong way round.
    public init?(_ text: String) {
        let ends = text.split(separator: "-", omittingEmptySubsequences: false)
        guard (1...2).contains(ends.count), let first = Ratio(ends[0]), let last = Ratio(ends[ends.count - 1]),
            first.width * last.height <= last.width * first.height
        else { return nil }
        narrowest = first
        widest = last
    }

    /// `1:1-2:1`.
    public var text: String {
        let ends = [narrowest, widest].map { "\($0.width):\($0.height)" }
        return ends[0] == ends[1] ? ends[0] : ends.joined(separator: "-")
    }

    /// - Parameters:
    ///   - width: in pixels, at most 2^31.
    ///   - height: in pixels, at most 2^31.
    public func contains(width: Int, height: Int) -> Bool {
        width * narrowest.height >= narrowest.width * height && width * widest.height <= widest.width * height
    }
}
