extension Spool {
    /// Whether the directory of claims can be opened, as it cannot while its disk is away.
    public var isAtHand: Bool { (try? open(places.work)) != nil }
}
