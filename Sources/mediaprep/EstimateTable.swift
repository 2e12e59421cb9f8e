internal import AttachmentRules
internal import Kernel
internal import Service

/// One estimate for a person: a heading, and a row for each figure with a column for each state of the file.
struct EstimateTable {
    private let estimate: FileEstimate

    init(_ estimate: FileEstimate) {
        self.estimate = estimate
    }

    var text: String {
        let name = FilePath(estimate.file).escapedForTerminal
        if let failure = estimate.failure { return "\(name): no estimate: \(FilePath(failure).escapedForTerminal)\n" }
        var lines = ["\(name): \(heading)"]
        if let needs = estimate.asIs {
            var rows = [["", "as it is", estimate.after == nil ? "" : "after mediaprep (\(estimate.profile))"]]
            rows += figures(of: needs, estimate.after)
            lines += Self.aligned(rows).map { "  " + $0 }
        }
        if let refusal = estimate.refusal {
            lines.append("  mediaprep would refuse it: \(FilePath(refusal).escapedForTerminal)")
        }
        return lines.joined(separator: "\n") + "\n\n"
    }

    private var heading: String {
        var parts = [estimate.mediaType?.rawValue ?? ""]
        if let width = estimate.width, let height = estimate.height { parts.append("\(width)x\(height)") }
        if let orientation = estimate.orientation, orientation != 1 { parts.append("orientation \(orientation)") }
        if let picture = estimate.asIs?.picture {
            parts.append("\(picture.bitsPerComponent) bits")
            if picture.frames != 1 { parts.append("\(picture.frames) frames") }
        }
        if let bytes = estimate.bytes { parts.append(ByteText.both(bytes)) }
        if estimate.isComplete == false { parts.append("INCOMPLETE") }
        return parts.joined(separator: ", ")
    }

    private func figures(of need: FileEstimate.Need, _ after: FileEstimate.Need?) -> [[String]] {
        guard let picture = need.picture else {
            let peaks = need.attaching ?? [:]
            return peaks.sorted { $0.value < $1.value }.map { [$0.key, ByteText.both($0.value), ""] }
        }
        let made = after?.picture
        func row(_ name: String, _ figure: (FileEstimate.Picture) -> String) -> [String] {
            [name, figure(picture), made.map(figure) ?? ""]
        }
        func bytes(_ name: String, _ figure: @escaping (FileEstimate.Picture) -> Int?) -> [String] {
            row(name) { figure($0).map(ByteText.both) ?? "" }
        }
        let file = after.map { "at most " + ByteText.both($0.fileBytes) } ?? ""
        return [
            row("pixels") { "\($0.width)x\($0.height)" },
            row("card") { picture in
                let phones = picture.cards.filter { $0.screenWidth <= 440 }
                guard let least = phones.first, let most = phones.last else { return "" }
                return "\(least.height) to \(most.height) pt high on phones"
            },
            ["file", ByteText.both(need.fileBytes), file],
            bytes("row") { $0.memory.rowBytes }, bytes("bitmap") { $0.memory.bitmapBytes },
            bytes("resident") { $0.memory.residentBytes },
            bytes("attach_stream") { $0.memory.peaks?.attachStream },
            bytes("attach_data") { $0.memory.peaks?.attachData }, bytes("display") { $0.memory.peaks?.display },
            bytes("display_copy") { $0.memory.peaks?.displayCopy },
            bytes("reencode_in_nse") { $0.memory.peaks?.reencodeInExtension },
            bytes("animate_all") { $0.memory.peaks?.animateAll }, bytes("downsample") { $0.memory.peaks?.downsample },
        ]
            + MemoryBudget.allCases.map { budget in
                row(budget.rawValue) { picture in
                    guard let verdict = picture.memory.budgets?[budget.rawValue] else { return "" }
                    let limit = ByteText.short(verdict.limitBytes)
                    return "\(verdict.verdict.rawValue), \(verdict.scenario.rawValue) of \(limit)"
                }
            }
    }

    /// Columns as wide as their widest cell.
    private static func aligned(_ rows: [[String]]) -> [String] {
        let widths = (0..<3).map { column in rows.map { $0[column].count }.max() ?? 0 }
        return rows.map { row in
            let cells = zip(row, widths).map { cell, width in cell + String(repeating: " ", count: width - cell.count) }
            var line = cells.joined(separator: "  ")
            while line.hasSuffix(" ") { line.removeLast() }
            return line
        }
    }
}
