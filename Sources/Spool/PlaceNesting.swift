import Kernel

/// Where a directory really is: what it is and what it lies in, whatever its name is made of.
struct PlaceIdentity {
    /// The directory, or the nearest one above it that is there, and everything above that.
    private let chain: [FileStatus]
    /// The names below it that are still missing.
    private let missing: [FilePath]

    init(of path: FilePath) throws(Errno) {
        var path = path
        var missing: [FilePath] = []
        while true {
            do throws(Errno) {
                chain = try Self.chain(from: FileDescriptor.open(path.isEmpty ? "." : path, flags: .directory))
                break
            } catch .noSuchFileOrDirectory where !path.isEmpty && path != "/" {
                missing.insert(path.lastComponent, at: 0)
                path = path.removingLastComponent
            }
        }
        self.missing = missing
    }

    /// True when this is `outer` or lies in it.
    func lies(in outer: PlaceIdentity) -> Bool {
        if outer.missing.isEmpty {
            return chain.contains { $0.isSameFile(as: outer.chain[0]) }
        }
        return chain[0].isSameFile(as: outer.chain[0]) && missing.starts(with: outer.missing)
    }

    private static func chain(from directory: consuming FileDescriptor) throws(Errno) -> [FileStatus] {
        var current = directory
        var chain = [try current.status()]
        while true {
            let parent = try FileDescriptor.open("..", flags: .directory, relativeTo: current)
            let status = try parent.status()
            // The root is its own parent.
            if status.isSameFile(as: chain[chain.count - 1]) { return chain }
            chain.append(status)
            current = parent
        }
    }
}

extension SpoolPlaces {
    /// Files of one would be taken for files of the other, if one of these were another or lay in another.
    var separate: [FilePath] { [inbox, outbox, work, done, rejected] }

    func refuseNesting() throws(SpoolFailure) {
        var identities: [(path: FilePath, identity: PlaceIdentity)] = []
        for path in separate {
            do throws(Errno) {
                identities.append((path, try PlaceIdentity(of: path)))
            } catch {
                throw SpoolFailure(path, error)
            }
        }
        for (index, inner) in identities.enumerated() {
            for (other, outer) in identities.enumerated()
            where index != other && inner.identity.lies(in: outer.identity) {
                throw .nested(inner.path, in: outer.path)
            }
        }
    }
}
