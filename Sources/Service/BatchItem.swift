internal import AttachmentRules
internal import Kernel

/// One source with the names that its outcome will have.
struct BatchItem: Sendable {
    let file: SourceFile
    /// Name of the picture that it becomes, in the source's target directory.
    let picture: ResultName
    /// What its name begins with if it is sound or film and does not keep its own.
    let clipStem: FilePath
    /// Name of the manifest beside it.
    let manifest: FilePath

    /// Decides the names of all results before the first is made.
    static func plan(_ files: [SourceFile]) -> [BatchItem] {
        let targets = Dictionary(grouping: files, by: \.target)
        let directories = subdirectories(of: targets.keys)
        let names = targets.map { target, files in
            let names = files.map(\.name)
            let besides = directories[target] ?? []
            return (
                target,
                (
                    pictures: OutputNames.assign(names, besides: besides),
                    clips: OutputNames.clipStems(names, besides: besides)
                )
            )
        }
        let results = Dictionary(uniqueKeysWithValues: names)
        return files.map { file in
            guard let names = results[file.target], let picture = names.pictures[file.name],
                let clipStem = names.clips[file.name]
            else { preconditionFailure("every source of a directory was given its names") }
            let manifest = OutputNames.manifest(for: file.name, besides: directories[file.target] ?? [])
            return BatchItem(
                file: file, picture: ResultName(name: picture, claims: [picture]), clipStem: clipStem,
                manifest: manifest)
        }
    }

    /// Name of its result.
    ///
    /// - Parameter fileExtension: of the type that it is published as.
    func result(_ fileExtension: String) -> ResultName {
        fileExtension == "jpg"
            ? picture : OutputNames.clip(file.name, stem: clipStem, fileExtension: fileExtension)
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
