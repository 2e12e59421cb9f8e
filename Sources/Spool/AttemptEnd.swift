import Kernel

extension Spool {
    /// Takes back that an attempt was started: nobody died of it, and what follows is between us and the disk.
    ///
    /// A kill from now on does not count against the file. Where this cannot be noted the claim stays as it is. To be
    /// called before anything of the claim is published.
    public func endAttempt(of claim: consuming Claim) -> Claim {
        let ended = claim.directory.with(.attempt(0))
        guard let work = try? open(places.work), let mark = try? Claim.mark(for: ended, in: places.work),
            (try? rename(claim.directory, to: ended, work: work)) != nil
        else { return claim }
        // The claim goes on as another value; this one is no longer to be settled.
        claim.progress.isSettled = true
        let entry = ClaimEntry(id: claim.id, name: claim.name, kind: claim.kind, state: ended.state)
        return Claim(entry, work: places.work, mark: mark)
    }
}
