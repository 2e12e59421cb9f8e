internal import AttachmentRules
import Hashing
import Kernel

/// Which file each source's result becomes, decided for a whole directory at once so that no two meet.
///
/// `IMG.HEIC` becomes `IMG.jpg`. Where several sources ask for one name, the source that has it already keeps it
/// (`a.jpg` stays `a.jpg`) and the others keep their full name in front (`a.png` becomes `a.png.jpg`).
///
/// What a source is shows only when it is read, so each has two names: that of its picture, and a stem in case that it is
/// sound or film, which gets the extension of its type. `film.MP4` becomes `film.mp4`, and its still picture has the name
/// that its picture would have, `film.MP4.jpg`: that is nobody else's, and neither is its stem.
enum OutputNames {
    /// Longest name that file systems take, in bytes.
    static let longestName = 255

    /// - Parameters:
    ///   - sources: the names of the sources of one directory, each once.
    ///   - directories: names that subdirectories of the output take.
    /// - Returns: the result's name for each source.
    static func assign(_ sources: [FilePath], besides directories: Set<FilePath>) -> [FilePath: FilePath] {
        let groups = Dictionary(grouping: sources, by: preferred)
        var names: [FilePath: FilePath] = [:]
        var taken = directories
        for (name, askers) in groups where !directories.contains(name) {
            guard let owner = askers.count == 1 ? askers[0] : askers.first(where: { $0 == name }) else { continue }
            names[owner] = name
            taken.insert(name)
        }
        for source in sources.sorted() where names[source] == nil {
            let whole = fitting(source, suffix: ".jpg")
            let name = taken.contains(whole) ? hashed(source, suffix: ".jpg") : whole
            names[source] = name
            taken.insert(name)
        }
        return names
    }

    /// Which stem each source has if it is sound or film and does not keep its name. Where several sources ask for one
    /// stem, or a source has one of its names already, the full name is the stem: `a.mov` that is an MP4 beside an `a.mp4`
    /// becomes `a.mov.mp4`.
    ///
    /// - Parameters:
    ///   - sources: the names of the sources of one directory, each once.
    ///   - directories: names that subdirectories of the output take.
    static func clipStems(_ sources: [FilePath], besides directories: Set<FilePath>) -> [FilePath: FilePath] {
        var stems: [FilePath: FilePath] = [:]
        // Who asks alone for a stem has no other source beside it that has one of its names: it would ask as well.
        for (stem, askers) in Dictionary(grouping: sources, by: clipStem)
        where askers.count == 1 && (directories.isEmpty || directories.isDisjoint(with: names(of: stem))) {
            stems[askers[0]] = stem
        }
        guard stems.count < sources.count else { return stems }
        var taken = Set(stems.values)
        let names = directories.union(sources)
        for source in sources.sorted() where stems[source] == nil {
            let isFree = !taken.contains(source) && names.isDisjoint(with: self.names(of: source))
            let stem = isFree ? source : hashed(source, suffix: "")
            stems[source] = stem
            taken.insert(stem)
        }
        return stems
    }

    /// The name of a source that is sound or film: its own, where it ends as its type does, which is nobody else's.
    ///
    /// - Parameter stem: what it begins with if it does not.
    static func clip(_ source: FilePath, stem: FilePath, fileExtension: String) -> ResultName {
        keeps(source, fileExtension) ? kept(source) : stemmed(stem, fileExtension)
    }

    /// What a source that is sound or film has for its own.
    static func clipClaims(_ source: FilePath, stem: FilePath) -> [FilePath] {
        [keptClaim(source), stemClaim(stem)]
    }

    /// Every name that a source's result with this extension can have, in one batch or another.
    static func candidates(for source: FilePath, fileExtension: String) -> [ResultName] {
        guard fileExtension != "jpg" else {
            return [preferred(source), fitting(source, suffix: ".jpg"), hashed(source, suffix: ".jpg")]
                .map { ResultName(name: $0, claims: [$0]) }
        }
        let stems = [clipStem(source), source, hashed(source, suffix: "")].map { stemmed($0, fileExtension) }
        return keeps(source, fileExtension) ? [kept(source)] + stems : stems
    }

    private static func kept(_ source: FilePath) -> ResultName {
        ResultName(name: source, claims: [keptClaim(source)])
    }

    private static func stemmed(_ stem: FilePath, _ fileExtension: String) -> ResultName {
        let name = fitting(stem, suffix: ".\(fileExtension)")
        // A source that has this name keeps it.
        return ResultName(name: name, claims: [keptClaim(name), stemClaim(stem)])
    }

    private static func keptClaim(_ source: FilePath) -> FilePath { fitting(source, suffix: ".kept") }

    private static func stemClaim(_ stem: FilePath) -> FilePath { fitting(stem, suffix: ".stem") }

    private static func keeps(_ source: FilePath, _ fileExtension: String) -> Bool {
        source.bytes.count > fileExtension.utf8.count + 1
            && source.bytes.suffix(fileExtension.utf8.count + 1).elementsEqual(".\(fileExtension)".utf8)
    }

    private static func names(of stem: FilePath) -> [FilePath] {
        clipTypes.map { stemmed(stem, $0.preferredExtension).name }
    }

    /// The manifest's name: the full source name and `.json`.
    ///
    /// - Parameter directories: names that subdirectories of the output take.
    static func manifest(for source: FilePath, besides directories: Set<FilePath>) -> FilePath {
        let name = fitting(source, suffix: ".json")
        return directories.contains(name) ? hashed(source, suffix: ".json") : name
    }

    /// The name that a manifest has until its picture is in place. It ends like a manifest, because it is one: it says
    /// whose the picture is if the run ends between the two.
    static func pending(_ manifest: FilePath) -> FilePath {
        reserved(manifest, ".json")
    }

    /// The name of a file that is being written, the same in every run so that a stale one is replaced.
    static func temporary(for name: FilePath) -> FilePath {
        reserved(name, ".tmp")
    }

    /// The name that the directory of a push has until it is whole, and an earlier one until it is gone.
    static func staged(_ name: FilePath) -> FilePath {
        reserved(name, stagedEnding)
    }

    /// Whether a name is one that `staged` gives.
    static func isStaged(_ name: FilePath) -> Bool {
        name.bytes.starts(with: reservedPrefix.utf8) && name.bytes.suffix(6).elementsEqual(stagedEnding.utf8)
    }

    /// The name of the manifest in the directory of a push.
    static let groupManifest: FilePath = "manifest.json"

    /// Whether a name is one that a file has while it is written.
    static func isTemporary(_ name: FilePath) -> Bool {
        name.bytes.starts(with: reservedPrefix.utf8) && name.bytes.suffix(4).elementsEqual(".tmp".utf8)
    }

    private static let reservedPrefix = ".mediaprep-"
    private static let stagedEnding = ".group"

    private static func reserved(_ name: FilePath, _ ending: String) -> FilePath {
        FilePath(reservedPrefix + Digest.short(name.bytes.span) + ending)
    }

    private static func preferred(_ source: FilePath) -> FilePath {
        let bytes = source.bytes
        guard let dot = bytes.lastIndex(of: UInt8(ascii: ".")), dot > 0,
            pictureExtensions.contains(String(decoding: bytes[(dot + 1)...], as: UTF8.self).lowercased())
        else { return fitting(source, suffix: ".jpg") }
        return fitting(FilePath(bytes: Array(bytes[..<dot])), suffix: ".jpg")
    }

    /// The name without the extension of a sound or film.
    private static func clipStem(_ source: FilePath) -> FilePath {
        let bytes = source.bytes
        guard let dot = bytes.lastIndex(of: UInt8(ascii: ".")), dot > 0,
            clipExtensions.contains(String(decoding: bytes[(dot + 1)...], as: UTF8.self).lowercased())
        else { return source }
        return FilePath(bytes: Array(bytes[..<dot]))
    }

    private static func fitting(_ name: FilePath, suffix: String) -> FilePath {
        name.bytes.count + suffix.utf8.count <= longestName
            ? FilePath(bytes: name.bytes + Array(suffix.utf8)) : hashed(name, suffix: suffix)
    }

    // A prefix of the name stays readable; it is cut where a character ends.
    private static func hashed(_ name: FilePath, suffix: String) -> FilePath {
        let tail = Array("-\(Digest.short(name.bytes.span))\(suffix)".utf8)
        var end = min(name.bytes.count, longestName - tail.count)
        while end > 0, end < name.bytes.count, name.bytes[end] & 0xC0 == 0x80 { end -= 1 }
        return FilePath(bytes: Array(name.bytes[..<end]) + tail)
    }

    // Only these are taken for an extension: "Mr. Smith" has none.
    private static let pictureExtensions: Set<String> = [
        "jpg", "jpeg", "jpe", "jfif", "jif", "mpo", "png", "apng", "gif", "webp", "heic", "heif", "heics", "heifs",
        "hif", "avif", "avifs", "tif", "tiff",
    ]

    private static let clipTypes = MediaType.allCases.filter { $0.support != .none && $0.family != .image }

    private static let clipExtensions = Set(clipTypes.map(\.preferredExtension))
        .union(["aif", "mpeg", "qt", "wave", "mp4v", "3gpp", "snd", "ec3"])
}

/// Where a result goes.
struct ResultName: Hashable {
    let name: FilePath
    /// Whoever of a batch has one of these for its own has this name: the first counts. Names of pictures stand for
    /// themselves, of sound and film something stands for all that a source can have.
    let claims: [FilePath]
}
