internal import AttachmentRules
internal import Kernel

/// One source with the names that its outcome will have.
struct BatchItem: Sendable {
    let file: SourceFile
    let names: ResultNames
    /// Name of the manifest beside it.
    let manifest: FilePath

    /// Decides the names of all results before the first is made.
    static func plan(_ files: [SourceFile]) -> [BatchItem] {
        let targets = Dictionary(grouping: files, by: \.target)
        let directories = subdirectories(of: targets.keys)
        let names = targets.map { target, files in
            (target, ResultNames.assign(files.map(\.name), besides: directories[target] ?? []))
        }
        let results = Dictionary(uniqueKeysWithValues: names)
        return files.map { file in
            guard let names = results[file.target]?[file.name] else {
                preconditionFailure("every source of a directory was given its names")
            }
            let manifest = OutputNames.manifest(for: file.name, besides: directories[file.target] ?? [])
            return BatchItem(file: file, names: names, manifest: manifest)
        }
    }

    // The names that directories take, by the directory they lie in.
    private static func subdirectories(of targets: some Sequence<FilePath>) -> [FilePath: Set<FilePath>] {
        var found: [FilePath: Set<FilePath>] = [:]
        for target in targets {
            var directory = target
            while !directory.isEmpty {
                let parent = directory.removingLastComponent
                guard found[parent, default: []].insert(directory.lastComponent).inserted else { break }
                directory = parent
            }
        }
        return found
    }
}
