internal import Kernel
internal import Spool

/// One claim and its outcome, before anything of it is published.
struct Decision: ~Copyable, Sendable {
    var claim: Claim
    let outcome: ClaimRun.Outcome
    /// When the claim was begun.
    let start: MonotonicInstant
}
