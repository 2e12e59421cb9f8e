import Foundation

/// The built `mediaprep` in a directory of its own, where another program of the build is its worker.
struct ProgramWithWorker {
    let program: Program
    private let directory: URL

    /// - Parameter name: of the program that is to be the worker.
    init(_ name: String, in scratch: Scratch) throws {
        directory = scratch.url.appending(path: "installed-\(name)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        for (built, installed) in [("mediaprep", "mediaprep"), (name, "mediaprep-worker")] {
            let source = Program.directory.appending(path: built)
            let target = directory.appending(path: installed)
            do {
                try FileManager.default.linkItem(at: source, to: target)
            } catch {
                // The two lie on different file systems.
                try FileManager.default.copyItem(at: source, to: target)
            }
        }
        program = Program(executable: directory.appending(path: "mediaprep"))
    }

    /// Files beside the programs.
    var traces: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: directory.path)) ?? [])
            .filter { !$0.hasPrefix("mediaprep") }
    }

    /// The processes that run one of the programs.
    var processes: [Int32] {
        let numbers = ((try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []).compactMap { Int32($0) }
        let home = directory.resolvingSymlinksInPath().path + "/"
        return numbers.filter { number in
            (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(number)/exe"))?.hasPrefix(home) == true
        }
    }
}

extension Program.Result {
    /// A figure of the table that ends a batch; 0 where the row is left out.
    func count(_ row: String) -> Int {
        let lines = (output + errors).split(separator: "\n").filter { $0.hasPrefix(row + " ") }
        return lines.last.flatMap { Int($0.dropFirst(row.count).trimmingCharacters(in: .whitespaces)) } ?? 0
    }

    /// What was refused: code and message of each source, by its name.
    var rejections: [String: (code: String, message: String)] {
        let pairs = manifests.compactMap { manifest -> (String, (code: String, message: String))? in
            guard let rejection = manifest["rejection"] as? [String: Any], let name = manifest["name"] as? String
            else { return nil }
            return (name, (rejection["code"] as? String ?? "", rejection["message"] as? String ?? ""))
        }
        return Dictionary(pairs) { $1 }
    }
}
