internal import AttachmentRules
internal import Configuration
internal import Kernel
internal import Spool

/// Makes decisions durable, and tells of them only then: results, manifest, acknowledgement, the original's last place.
struct Publisher: Sendable {
    let service: ServeContext

    func work() {
        while let decision = service.decided.take() { publish(decision) }
    }

    private func publish(_ decision: consuming Decision) {
        let start = decision.start
        let outcome = decision.outcome
        let claim = decision.claim
        claim.takeInHand()
        let settings = service.settings
        let notifies = !settings.notifyCommand.isEmpty
        let document = ManifestCoding.document(outcome.manifest)
        if notifies { service.notifier.expect(claim.id) }
        let isDurable: Void? = service.stalls.persist(until: service.abandon) { () -> Stalls.Attempt<Void> in
            do throws(SpoolFailure) {
                try publish(outcome)
                try service.spool.publish(manifest: document.span, of: claim, notifies: notifies)
                return .done(())
            } catch {
                return .inTheWay("\(error)")
            }
        }
        guard isDurable != nil else { return service.giveBack(claim) }

        // First, so that whoever hears of this outcome and sends the same again finds it.
        if let key = outcome.key { service.spool.remember(manifestOf: claim, as: key) }
        service.tally.count(outcome.manifest, isReused: outcome.isReused)
        service.log.outcome(outcome.manifest, of: claim.id, isReused: outcome.isReused, after: start.duration(to: .now))
        if notifies { service.notifier.tell(claim.id) }
        settle(claim, as: end(of: outcome.manifest, document, originals: settings.originals))
    }

    private func publish(_ outcome: borrowing ClaimRun.Outcome) throws(SpoolFailure) {
        for result in outcome.results {
            try result.file.withBytes { (bytes) throws(SpoolFailure) in
                _ = try service.spool.publish(
                    media: bytes, digest: result.digest, fileExtension: result.fileExtension)
            }
        }
    }

    /// The outcome stands, whatever comes: only the original still has to go where it belongs.
    private func settle(_ claim: consuming Claim, as end: ClaimEnd) {
        let name = claim.name
        var left: Claim? = consume claim
        let place = service.stalls.persist(until: service.abandon) { () -> Stalls.Attempt<SettledPlace> in
            guard let claim = left.take() else { preconditionFailure("a claim is in hand until it is settled") }
            switch service.spool.settle(claim, as: end) {
            case .settled(let place): return .done(place)
            case .held(let held, let failure):
                left = consume held
                return .inTheWay("\(failure)")
            }
        }
        switch place {
        case .immovable(let entry, let error): service.log.immovable(entry, error)
        case nil:
            // The next start finds it, sees that its outcome stands, and goes on here.
            if let claim = left.take() { _ = service.spool.settle(claim, as: .left) }
        default: break
        }
        service.finish(name, again: false)
    }

    private func end(of manifest: Manifest, _ document: [UInt8], originals: ServeSettings.Originals) -> ClaimEnd {
        if manifest.status == .rejected { return .rejected(manifest: document, digest: manifest.source.sha256) }
        return originals == .keep ? .done(digest: manifest.source.sha256) : .deleted
    }
}
