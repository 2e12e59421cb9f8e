internal import Configuration
internal import Kernel

/// One line of the log, which nothing in a value can break, forge or make too long.
struct LogLine {
    /// What a pipe takes whole or not at all; a name of 255 bytes fits whatever its bytes are.
    static let maximumBytes = 4096

    /// RFC 3339; nil where whoever reads the log adds the time by itself.
    var time: String?
    var level: ServiceLog.Level
    var event: String
    var fields: [(key: String, value: LogValue)]
    /// `<6>`, as in sd-daemon(3).
    var hasPriority: Bool

    /// - Returns: the line with its line feed, in `maximumBytes` at most. Fields that have no room are left out, and
    ///   `cut` says so.
    func bytes(as format: ServeSettings.LogFormat) -> [UInt8] {
        let head =
            (time.map { [("time", LogValue.text($0))] } ?? []) + [("level", .text("\(level)")), ("event", .text(event))]
        let prefix = hasPriority ? "<\(level.rawValue)>" : ""
        let (start, separator, end, cut) =
            switch format {
            case .text: (prefix, " ", "\n", " cut=yes")
            case .json: (prefix + "{", ",", "}\n", ",\"cut\":true")
            }
        var line = Array(start.utf8)
        var isCut = false
        for (index, field) in (head + fields).enumerated() {
            let part = (index == 0 ? "" : separator) + Self.part(field.0, field.1, as: format)
            guard line.count + part.utf8.count + cut.utf8.count + end.utf8.count <= Self.maximumBytes else {
                isCut = true
                continue
            }
            line += Array(part.utf8)
        }
        return line + Array((isCut ? cut : "").utf8) + Array(end.utf8)
    }

    private static func part(_ key: String, _ value: LogValue, as format: ServeSettings.LogFormat) -> String {
        let text =
            switch value {
            case .text(let text): text
            case .path(let path): path.display
            case .number(let number): "\(number)"
            }
        switch format {
        case .text:
            let (escaped, needsQuotes) = LogText.escaped(text, as: .text)
            return key + "=" + (needsQuotes ? "\"\(escaped)\"" : escaped)
        case .json:
            if case .number = value { return "\"\(key)\":\(text)" }
            return "\"\(key)\":\"\(LogText.escaped(text, as: .json).text)\""
        }
    }
}
