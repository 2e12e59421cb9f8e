internal import Kernel

/// Finds what was handed in, without opening a single file.
struct SourceTree {
    /// How sources are laid out below the output.
    private enum Layout {
        /// The only source gives its contents, several give one directory each.
        case mirrored(isOnly: Bool)
        /// Every source keeps its path as listed.
        case asListed
        /// Nothing is written, so that names never clash.
        case flat
    }

    /// What was found: the sources in their order, each directory in byte order, nothing twice.
    private(set) var files: [SourceFile] = []
    /// The directories among the mirrored sources, by their own names.
    private var directories: [FilePath: FilePath] = [:]
    private let output: FileStatus?

    /// - Parameters:
    ///   - sources: are mirrored.
    ///   - listed: keep their paths.
    ///   - output: the status of the output directory, which is never walked into; nil when there is none yet.
    init(_ sources: [FilePath], listed: [FilePath], output: FileStatus?) throws(BatchFailure) {
        self.output = output
        for source in sources {
            try add(source, layout: .mirrored(isOnly: sources.count == 1))
        }
        for source in listed {
            try add(source, layout: .asListed)
        }
        try removeRepeats()
    }

    /// What is only read.
    init(reading sources: [FilePath]) throws(BatchFailure) {
        output = nil
        for source in sources {
            try add(source, layout: .flat)
        }
        var seen: Set<FilePath> = []
        files = files.filter { seen.insert($0.givenPath).inserted }
    }

    private mutating func add(_ source: FilePath, layout: Layout) throws(BatchFailure) {
        let status: FileStatus
        do throws(Errno) {
            status = try FileDescriptor.status(of: source)
        } catch {
            if error.isShortage { throw .resources(error) }
            // A list may name what has gone since; an argument that does not exist is a slip of the pen.
            guard case .asListed = layout else { throw .source(source, error) }
            addFile(source, .regular, layout: layout, problem: error)
            return
        }
        if status.kind == .directory {
            if let output, output.isSameFile(as: status) { throw .outputIsSource(source) }
            try addDirectory(source, layout: layout)
        } else {
            addFile(source, status.kind, layout: layout)
        }
    }

    private mutating func addDirectory(_ source: FilePath, layout: Layout) throws(BatchFailure) {
        let target: FilePath
        switch layout {
        case .asListed: target = Self.inside(source)
        case .flat: target = ""
        case .mirrored(let isOnly):
            // Two albums of one name would be mixed in the output, and nobody could tell them apart any more.
            let name = source.lastComponent
            if let other = directories[name], !Self.isSameFile(other, source) { throw .sameTarget(other, source) }
            directories[name] = source
            target = isOnly ? "" : Self.inside(name)
            if target.isEmpty, !isOnly { throw .nameless(source) }
        }
        let root: FileDescriptor
        do throws(Errno) {
            root = try FileDescriptor.open(source, flags: .directory)
        } catch {
            throw .source(source, error)
        }
        try walk(root, given: source, target: target)
    }

    private mutating func addFile(
        _ source: FilePath, _ kind: FileKind, layout: Layout, problem: Errno? = nil
    ) {
        let parent = source.removingLastComponent
        let target: FilePath =
            switch layout {
            case .asListed: Self.inside(parent)
            case .mirrored, .flat: ""
            }
        files.append(
            SourceFile(
                root: parent.isEmpty ? "." : parent, path: source.lastComponent, givenPath: source, target: target,
                kind: kind, problem: problem))
    }

    private mutating func walk(
        _ root: borrowing FileDescriptor, given: FilePath, target: FilePath
    ) throws(BatchFailure) {
        // Depth first with a stack of its own: the depth of a tree is the owner's choice, the call stack is ours.
        var waiting: [FilePath] = [""]
        while let directory = waiting.popLast() {
            let entries: [DirectoryListing.Entry]
            do throws(Errno) {
                let descriptor = try FileDescriptor.openBeneath(
                    directory.isEmpty ? "." : directory, relativeTo: root, flags: .directory)
                if let output, try output.isSameFile(as: descriptor.status()) { continue }
                entries = try DirectoryListing(of: descriptor).entries
            } catch {
                if error.isShortage { throw .resources(error) }
                if directory.isEmpty { throw .source(given, error) }
                files.append(
                    SourceFile(
                        root: given, path: directory, givenPath: given.appending(directory),
                        target: target.appending(directory.removingLastComponent), kind: .directory, problem: error))
                continue
            }
            for entry in entries where entry.kind != .directory {
                files.append(
                    SourceFile(
                        root: given, path: directory.appending(entry.name),
                        givenPath: given.appending(directory).appending(entry.name),
                        target: target.appending(directory), kind: entry.kind, problem: nil))
            }
            for entry in entries.reversed() where entry.kind == .directory {
                waiting.append(directory.appending(entry.name))
            }
        }
    }

    // The same file named twice is one piece of work; two files with one outcome are a mistake of the caller.
    private mutating func removeRepeats() throws(BatchFailure) {
        var seen: [FilePath: FilePath] = [:]
        var kept: [SourceFile] = []
        for file in files {
            let place = file.target.appending(file.name)
            if let earlier = seen[place] {
                guard Self.isSameFile(earlier, file.givenPath) else { throw .sameTarget(earlier, file.givenPath) }
                continue
            }
            seen[place] = file.givenPath
            kept.append(file)
        }
        files = kept
    }

    static func isSameFile(_ one: FilePath, _ other: FilePath) -> Bool {
        if one == other { return true }
        guard let first = try? FileDescriptor.status(of: one),
            let second = try? FileDescriptor.status(of: other)
        else { return false }
        return first.isSameFile(as: second)
    }

    // A path that can be used below the output: no `.`, and nothing before the last `..`.
    static func inside(_ path: FilePath) -> FilePath {
        path.components.reduce(into: FilePath("")) { inside, component in
            if component == ".." { inside = "" } else if component != "." { inside = inside.appending(component) }
        }
    }
}
