internal import AttachmentRules
internal import Configuration
internal import JobProtocol
internal import Kernel
internal import Spool
internal import WorkerPool

/// The events of a service, each with its fields.
extension ServiceLog {
    /// An outcome that is on the disk.
    func outcome(_ manifest: Manifest, of claim: ClaimID, isReused: Bool, after time: Duration) {
        var fields: [(key: String, value: LogValue)] = [
            ("name", .text(manifest.name)), ("claim", .text("\(claim)")),
        ]
        let milliseconds = LogValue.number(Int(time.inMilliseconds.rounded()))
        if let rejection = manifest.rejection {
            fields += [
                ("code", .text(rejection.code.rawValue)), ("rule", .text(rejection.rule.rawValue)),
                ("ms", milliseconds),
                // May come from a worker that was taken over; the log escapes it.
                ("message", .text(rejection.message)),
            ]
            write(.notice, "rejected", fields)
        } else {
            if let id = manifest.id { fields.append(("id", .text(id))) }
            if let attachments = manifest.attachments { fields.append(("attachments", .number(attachments.count))) }
            let bytes = manifest.outputs.compactMap(\.bytes)
            if !bytes.isEmpty { fields.append(("bytes", .number(bytes.reduce(0, +)))) }
            if let quality = manifest.encoder?.quality { fields.append(("quality", .number(quality))) }
            if isReused { fields.append(("reused", "yes")) }
            fields.append(("ms", milliseconds))
            write(.info, "published", fields)
        }
    }

    func ready(_ settings: ServeSettings) {
        write(
            .notice, "ready",
            [
                "version": .text(mediaprepVersion), "root": .path(settings.root), "jobs": .number(settings.lanes),
                "profile": .text(settings.profile.name),
            ])
    }

    func recovered(_ recovery: Recovery) {
        for stranger in recovery.strangers {
            write(
                .warning, "stranger", ["path": .path(stranger), "message": "it is nothing of ours, and is left alone"])
        }
        write(
            .info, "recovered", ["claims": .number(recovery.claims.count), "removed": .number(recovery.removed)])
    }

    func arrivals(_ news: ArrivalNews) {
        let level: Level =
            switch news {
            case .watching, .inboxAvailable, .polling(.asked): .notice
            case .inboxUnavailable: .error
            case .polling, .overflowed, .inboxReplaced: .warning
            }
        write(level, news.event, ["message": .text("\(news)")])
    }

    func stalled(_ sentence: String) { write(.error, "stalled", ["message": .text(sentence)]) }

    func resumed(_ sentence: String) { write(.notice, "resumed", ["was": .text(sentence)]) }

    func postponed(_ name: FilePath, _ sentence: String) {
        write(
            .warning, "postponed",
            [
                "name": .path(name),
                "message": .text("it went back to the inbox, and is tried again in a while: \(sentence)"),
            ])
    }

    func immovable(_ name: FilePath, _ error: Errno) {
        write(
            .warning, "immovable",
            [
                "name": .path(name), "error": .text("\(error)"),
                "message": "it cannot be moved out of the inbox, and is tried again in a while",
            ])
    }

    func immovable(_ claim: ClaimEntry, _ error: Errno) {
        write(
            .warning, "immovable",
            [
                "name": .path(claim.name), "claim": .text("\(claim.id)"), "error": .text("\(error)"),
                "message": "its outcome stands, but it cannot be moved out of work, and is tried again after a restart",
            ])
    }

    func remark(_ text: String, on name: FilePath) {
        write(.info, "decoder-remark", ["name": .path(name), "message": .text(text)])
    }

    func weakSandbox(_ layers: Set<MissingLayer>) {
        guard !layers.isEmpty else { return }
        write(
            .warning, "weak-sandbox",
            ["message": .text("pictures are decoded in a weak sandbox: \(layers.sentence)")])
    }

    func allowsWeakSandbox() {
        write(
            .warning, "weak-sandbox-allowed",
            ["message": "allow-weak-sandbox: pictures are decoded even where the kernel lacks part of the sandbox"])
    }

    func notified(_ id: ClaimID) { write(.info, "notified", ["claim": .text("\(id)")]) }

    func notifyFailed(_ id: ClaimID, _ problem: String, attempt: Int, isLast: Bool) {
        write(
            isLast ? .error : .warning, isLast ? "notify-given-up" : "notify-failed",
            ["claim": .text("\(id)"), "attempt": .number(attempt), "message": .text(problem)])
    }

    /// What is in the way of every run is no failure of the program.
    func notifyWaits(_ sentence: String) { write(.warning, "notify-waits", ["message": .text(sentence)]) }

    func reloaded() { write(.notice, "reloaded") }

    func notReloaded(_ problem: String) {
        write(.error, "not-reloaded", ["message": .text("the settings stay as they are: \(problem)")])
    }

    func stopping() { write(.notice, "stopping") }

    func stopped() { write(.notice, "stopped") }
}

extension ArrivalNews {
    /// The word of the log.
    fileprivate var event: String {
        switch self {
        case .watching: "watching"
        case .polling: "polling"
        case .overflowed: "overflowed"
        case .inboxReplaced: "inbox-replaced"
        case .inboxUnavailable: "inbox-unavailable"
        case .inboxAvailable: "inbox-available"
        }
    }

    /// The mode that is entered.
    var mode: ServiceState.Watch? {
        switch self {
        case .watching: .events
        case .polling: .polling
        default: nil
        }
    }
}

extension Duration {
    fileprivate var inMilliseconds: Double {
        Double(components.seconds) * 1e3 + Double(components.attoseconds) / 1e15
    }
}
