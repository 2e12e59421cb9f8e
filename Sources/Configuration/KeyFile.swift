internal import Kernel

/// A key file that was read: its entries in their order, and what is wrong with its notation.
struct KeyFile {
    struct Entry {
        var line: Int
        var group: String
        var key: String
        var value: KeyFileValue
    }

    private(set) var groups: [(name: String, line: Int)] = []
    private(set) var entries: [Entry] = []
    private(set) var problems: [ConfigurationProblem] = []
    private let path: FilePath

    /// Far more than anybody writes by hand.
    private static let mostBytes = 1 << 20

    /// - Returns: nil where there is no such file.
    static func read(_ path: FilePath) throws(ConfigurationError) -> KeyFile? {
        func failure(_ reason: String) -> ConfigurationError {
            ConfigurationError(problems: [ConfigurationProblem(.file(path), reason: reason)])
        }
        let kind: FileKind
        var bytes: [UInt8] = []
        do throws(Errno) {
            // A FIFO must not make a service wait.
            let file = try FileDescriptor.open(path, flags: .nonBlocking)
            kind = try file.status().kind
            // /dev/null is how one asks for no file at all.
            if kind == .regular || kind == .characterDevice { bytes = try file.readAll(maximumBytes: mostBytes) }
        } catch .noSuchFileOrDirectory {
            return nil
        } catch .fileTooLarge {
            throw failure("is larger than \(mostBytes) bytes, which no settings are")
        } catch {
            throw failure("cannot be read: \(error)")
        }
        guard kind == .regular || kind == .characterDevice else { throw failure("cannot be read: it is a \(kind)") }
        return KeyFile(bytes, path: path)
    }

    init(_ bytes: [UInt8], path: FilePath) {
        self.path = path
        var group: String?
        for (index, bytes) in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).enumerated()
        {
            let number = index + 1
            guard let text = String(validating: bytes, as: UTF8.self), !bytes.contains(0) else {
                add(number, "is not text in UTF-8: \"\(FilePath(bytes: bytes.prefix(80)))\"")
                continue
            }
            switch KeyFileLine(text.hasSuffix("\r") ? text.dropLast() : text[...]) {
            case .nothing: break
            case .group(let name):
                group = name
                groups.append((name, number))
            case .entry(let key, let value):
                guard let group else {
                    add(number, "sets \(FilePath(key)) before any group; the first is to be [mediaprep]")
                    continue
                }
                if let earlier = entries.first(where: { $0.group == group && $0.key == key }) {
                    add(number, "sets \(FilePath(key)) a second time, after line \(earlier.line)", group: group)
                } else {
                    entries.append(Entry(line: number, group: group, key: key, value: value))
                }
            case .unreadable:
                add(number, "is no group, key = value or comment: \"\(FilePath(String(text.prefix(80))))\"")
            }
        }
    }

    private mutating func add(_ line: Int, _ reason: String, group: String? = nil) {
        problems.append(ConfigurationProblem(.file(path, line: line), group: group, reason: reason))
    }
}
