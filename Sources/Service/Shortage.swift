internal import Kernel

extension Errno {
    /// True where the system lacks something for a while, so that the file at hand is not to blame.
    var isShortage: Bool {
        [.tooManyOpenFiles, .tooManyOpenFilesInSystem, .outOfMemory, .noSpace, .wouldBlock].contains(self)
    }
}
