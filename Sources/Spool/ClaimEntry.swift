public import Kernel

/// A claim as it is found in the work directory: nobody has it in hand.
public struct ClaimEntry: Hashable, Sendable {
    public let id: ClaimID
    /// The file's name in the inbox.
    public let name: FilePath
    public let kind: FileKind
    let state: ClaimState

    /// Attempts that were started and not ended; 0 for a claim that waits for its first.
    public var attempts: Int {
        if case .attempt(let number) = state { number } else { 0 }
    }

    /// Whether the service itself died in a thread that had it in hand.
    public var hasCrashed: Bool { state == .crashed }

    var directory: ClaimDirectory { ClaimDirectory(id: id, state: state) }
}

/// What the name of a claim's directory says after the id.
public enum ClaimState: Hashable, Sendable {
    /// `.a2`: so many attempts were started.
    case attempt(Int)
    /// `.crashed`
    case crashed
    /// `.copy`: holds a part of a file at most, which is also where it came from, or what is left of a directory that
    /// is not wanted any more.
    case copying
}

/// The directory of one claim: its name is its state, because a rename changes that in one step.
public struct ClaimDirectory: Hashable, Sendable {
    /// The claim.
    public let id: ClaimID
    /// How far it has come.
    public let state: ClaimState

    init(id: ClaimID, state: ClaimState) {
        self.id = id
        self.state = state
    }

    /// Nil for a name that is not one of ours.
    public init?(_ name: FilePath) {
        let parts = name.bytes.split(separator: UInt8(ascii: "."), maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, let id = ClaimID(FilePath(bytes: parts[0])),
            let state = Self.state(String(decoding: parts[1], as: UTF8.self))
        else { return nil }
        self.init(id: id, state: state)
        // One spelling for each: no leading zeros, no signs.
        guard self.name == name else { return nil }
    }

    var name: FilePath {
        let ending =
            switch state {
            case .attempt(let number): "a\(number)"
            case .crashed: "crashed"
            case .copying: "copy"
            }
        return FilePath("\(id).\(ending)")
    }

    /// The same claim in another state.
    func with(_ state: ClaimState) -> ClaimDirectory { ClaimDirectory(id: id, state: state) }

    /// More attempts than this are not told apart.
    static let mostAttempts = 999

    private static func state(_ text: String) -> ClaimState? {
        if text == "crashed" { return .crashed }
        if text == "copy" { return .copying }
        guard text.first == "a", let number = Int(text.dropFirst()), (0...mostAttempts).contains(number) else {
            return nil
        }
        return .attempt(number)
    }
}
