/// What a process of the phone may use while it has to do with an attachment.
public enum MemoryBudget: String, Codable, Sendable, CaseIterable {
    /// A notification service extension since iOS 13 (nextcloud/talk-ios#1223: killed at "ActiveHard 24 MB").
    case serviceExtension = "nse-ios13"
    /// The same on iOS 12 and earlier (jetsam properties of 2019; OneSignal-Flutter-SDK#122: "limit=12 MB").
    case oldServiceExtension = "nse-ios12"
    /// A content extension as we would design it; our choice.
    case contentDesign = "content-design"
    /// The limit of content extensions that was configured in 2019; not verified since.
    case content2019 = "content-2019"
    /// The decoded picture's share of a service extension's memory; our choice.
    case imageShare = "image-share"

    /// The limit, in bytes.
    public var limitBytes: Int {
        switch self {
        case .serviceExtension, .contentDesign: 24 << 20
        case .oldServiceExtension: 12 << 20
        case .content2019: 120 << 20
        case .imageShare: Recipe().imageShareBytes
        }
    }

    /// The use of memory that is held against it.
    public var scenario: Scenario {
        switch self {
        case .serviceExtension, .oldServiceExtension: .reencodeInExtension
        case .contentDesign, .content2019: .displayCopy
        case .imageShare: .resident
        }
    }

    /// What is measured.
    public enum Scenario: String, Codable, Sendable {
        /// The decoded picture alone, in whole pages.
        case resident
        case displayCopy = "display_copy"
        case reencodeInExtension = "reencode_in_nse"
    }

    /// How a use of memory stands to a limit.
    public enum Standing: String, Codable, Sendable {
        case ok
        /// Above 80 %, where the kernel warns (XNU's PHYS_FOOTPRINT_WARNING_LEVEL).
        case warning
        /// Above the limit.
        case error

        /// - Parameters:
        ///   - bytes: what is used.
        ///   - limitBytes: the limit, at most 2^56.
        public init(_ bytes: Int, of limitBytes: Int) {
            self = bytes > limitBytes ? .error : bytes > limitBytes * 4 / 5 ? .warning : .ok
        }
    }

    /// The outcome for one picture, as a manifest tells it.
    public struct Verdict: Codable, Equatable, Sendable {
        public var limitBytes: Int
        public var scenario: Scenario
        public var verdict: Standing

        enum CodingKeys: String, CodingKey {
            case limitBytes = "limit_bytes"
            case scenario, verdict
        }
    }

    /// - Parameter limitBytes: another limit than the budget's own, in bytes.
    public func verdict(of memory: DecodedMemory, peaks: DecodedMemory.Peaks, limitBytes: Int? = nil) -> Verdict {
        let limit = limitBytes ?? self.limitBytes
        let used =
            switch scenario {
            case .resident: memory.residentBytes
            case .displayCopy: peaks.displayCopy
            case .reencodeInExtension: peaks.reencodeInExtension
            }
        return Verdict(limitBytes: limit, scenario: scenario, verdict: Standing(used, of: limit))
    }
}
