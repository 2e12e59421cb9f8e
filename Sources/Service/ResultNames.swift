internal import Kernel

/// The names that the results of one source have.
struct ResultNames: Sendable {
    private let source: FilePath
    /// The picture that it becomes.
    let picture: ResultName
    /// What its name begins with if it is sound or film and does not keep its own.
    let clipStem: FilePath

    /// Decides the names for all sources of one directory.
    ///
    /// - Parameter directories: names that subdirectories of the output take.
    static func assign(_ sources: [FilePath], besides directories: Set<FilePath>) -> [FilePath: ResultNames] {
        let pictures = OutputNames.assign(sources, besides: directories)
        let stems = OutputNames.clipStems(sources, besides: directories)
        let names = sources.map { source in
            guard let picture = pictures[source], let stem = stems[source] else {
                preconditionFailure("every source of a directory was given its names")
            }
            return ResultNames(
                source: source, picture: ResultName(name: picture, claims: [picture]), clipStem: stem)
        }
        return Dictionary(uniqueKeysWithValues: zip(sources, names))
    }

    /// The name of one of its results.
    ///
    /// - Parameter fileExtension: of the type that it is published as.
    func result(_ fileExtension: String) -> ResultName {
        fileExtension == "jpg" ? picture : OutputNames.clip(source, stem: clipStem, fileExtension: fileExtension)
    }
}
