internal import Kernel

/// Finds what was handed in, without opening a single file.
struct SourceTree {
    /// How sources are laid out below the output.
    enum Layout: Sendable {
        /// One directory gives its contents, several give one directory each.
        case mirrored
        /// Every source keeps its path as listed.
        case asListed
    }

    /// What was found: the sources in their order, each directory in byte order.
    private(set) var files: [SourceFile] = []
    /// The directories among the sources, by their own names.
    private var directories: [FilePath: FilePath] = [:]
    private let layout: Layout
    private let output: FileStatus?

    /// - Parameters:
    ///   - output: the status of the output directory, which is never walked into; nil when there is none yet.
    init(_ sources: [FilePath], layout: Layout, output: FileStatus?) throws(BatchFailure) {
        self.layout = layout
        self.output = output
        for source in sources {
            let status: FileStatus
            do throws(Errno) {
                status = try FileDescriptor.status(of: source)
            } catch {
                try missing(source, error)
                continue
            }
            if status.kind == .directory {
                if let output, output.isSameFile(as: status) { throw .outputIsSource(source) }
                try addDirectory(source, isOnly: sources.count == 1)
            } else {
                addFile(source, status.kind)
            }
        }
        try removeRepeats()
    }

    private mutating func addDirectory(_ source: FilePath, isOnly: Bool) throws(BatchFailure) {
        // Two albums of one name would be mixed in the output, and nobody could tell them apart any more.
        if case .mirrored = layout {
            let name = source.lastComponent
            if let other = directories[name], !Self.isSameFile(other, source) { throw .sameTarget(other, source) }
            directories[name] = source
        }
        let target: FilePath =
            switch layout {
            case .asListed: Self.inside(source)
            case .mirrored: isOnly ? "" : Self.inside(source.lastComponent)
            }
        let root: FileDescriptor
        do throws(Errno) {
            root = try FileDescriptor.open(source, flags: .directory)
        } catch {
            throw .source(source, error)
        }
        try walk(root, given: source, target: target)
    }

    private mutating func addFile(_ source: FilePath, _ kind: FileKind, problem: Errno? = nil) {
        let parent = source.removingLastComponent
        files.append(
            SourceFile(
                root: parent.isEmpty ? "." : parent, path: source.lastComponent, givenPath: source,
                target: fileTarget(source), kind: kind, problem: problem))
    }

    // A list may name what has gone since; an argument that does not exist is a slip of the pen.
    private mutating func missing(_ source: FilePath, _ error: Errno) throws(BatchFailure) {
        if error.isShortage { throw .resources(error) }
        guard case .asListed = layout else { throw .source(source, error) }
        addFile(source, .regular, problem: error)
    }

    private func fileTarget(_ source: FilePath) -> FilePath {
        switch layout {
        case .asListed: Self.inside(source.removingLastComponent)
        case .mirrored: ""
        }
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

    private static func isSameFile(_ one: FilePath, _ other: FilePath) -> Bool {
        if one == other { return true }
        guard let first = try? FileDescriptor.status(of: one),
            let second = try? FileDescriptor.status(of: other)
        else { return false }
        return first.isSameFile(as: second)
    }

    // A path that can be used below the output: no `.`, and nothing before the last `..`.
    private static func inside(_ path: FilePath) -> FilePath {
        path.components.reduce(into: FilePath("")) { inside, component in
            if component == ".." { inside = "" } else if component != "." { inside = inside.appending(component) }
        }
    }
}

extension FileStatus {
    fileprivate func isSameFile(as other: FileStatus) -> Bool {
        device == other.device && inode == other.inode
    }
}
