/// How the pictures of one push share the memory that a phone gives to pictures.
///
/// Each may take what it needs, up to a cap that is the same for all: the largest number of whole pages with which the
/// sum is within the share. Small pictures keep their size, and only those over the cap are made smaller.
public struct GroupPlan: Equatable, Sendable {
    /// Most attachments of one push. No system documents a number; ten leave each more than 800 KiB of the usual share,
    /// a picture of about 450 pixels a side, below which there is nothing left to look at.
    public static let mostAttachments = 10
    /// Most bytes of all attachments of one push together: what four of the largest pictures that are read may have.
    public static let mostBytes = 256 << 20

    /// What each picture takes as it is planned by itself, in bytes.
    public let residentBytes: [Int]
    /// What all of them may take together, in bytes.
    public let shareBytes: Int
    /// What the largest may take, in bytes; nil where all fit as they are.
    public let capBytes: Int?

    /// - Parameters:
    ///   - residentBytes: what each picture takes as it is planned by itself, in bytes, a multiple of a page.
    ///   - shareBytes: at least a page for each picture.
    public init(residentBytes: [Int], shareBytes: Int) {
        self.residentBytes = residentBytes
        self.shareBytes = shareBytes
        capBytes = Self.cap(residentBytes.sorted(), shareBytes)
    }

    /// What each picture may take, in bytes: with that as its recipe's share, no sum is over the group's.
    public var shares: [Int] {
        residentBytes.map { min($0, capBytes ?? $0) }
    }

    private static func cap(_ ascending: [Int], _ share: Int) -> Int? {
        var left = share
        for (index, bytes) in ascending.enumerated() {
            let each = left / (ascending.count - index) / DecodedMemory.pageBytes * DecodedMemory.pageBytes
            if bytes > each { return max(each, DecodedMemory.pageBytes) }
            left -= bytes
        }
        return nil
    }
}
