internal import Kernel

/// A directory that is one push, and where its outcome goes.
struct GroupItem: Sendable {
    /// As the caller wrote it.
    let givenPath: FilePath
    /// The directory that the push's own is made in, relative to the output; empty for the output itself.
    let parent: FilePath
    /// What the push's own directory is called.
    let name: FilePath
    /// Why it could not be looked at, if it could not.
    let problem: Errno?

    /// Relative to the output.
    var target: FilePath { parent.appending(name) }

    /// Every source as a push, in their order, none twice.
    ///
    /// - Parameters:
    ///   - sources: lie in the output by their own names.
    ///   - listed: keep their paths.
    ///   - output: the status of the output directory; nil when there is none yet.
    static func plan(
        _ sources: [FilePath], listed: [FilePath], output: FileStatus?
    ) throws(BatchFailure) -> [GroupItem] {
        var items: [GroupItem] = []
        var seen: [FilePath: FilePath] = [:]
        for (source, isListed) in sources.map({ ($0, false) }) + listed.map({ ($0, true) }) {
            let (status, problem) = try look(at: source, isListed: isListed)
            if let status, let output, output.isSameFile(as: status) { throw .outputIsSource(source) }
            let inside = SourceTree.inside(source)
            guard !inside.isEmpty, source.lastComponent == inside.lastComponent else { throw .nameless(source) }
            let item = GroupItem(
                givenPath: source, parent: isListed ? inside.removingLastComponent : "", name: inside.lastComponent,
                problem: problem)
            if let earlier = seen[item.target] {
                guard SourceTree.isSameFile(earlier, source) else { throw .sameTarget(earlier, source) }
                continue
            }
            seen[item.target] = source
            items.append(item)
        }
        return items
    }

    private static func look(
        at source: FilePath, isListed: Bool
    ) throws(BatchFailure) -> (FileStatus?, problem: Errno?) {
        do throws(Errno) {
            let status = try FileDescriptor.status(of: source)
            guard status.kind == .directory else { throw .notDirectory }
            return (status, nil)
        } catch {
            if error.isShortage { throw .resources(error) }
            // A list may name what has gone since; an argument that is no directory is a slip of the pen.
            guard isListed else { throw .source(source, error) }
            return (nil, error)
        }
    }
}
