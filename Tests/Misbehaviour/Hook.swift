/// What `hooked-worker` does, from inside the sandbox, to a picture that is as wide as the raw value.
public enum Hook: Int, CaseIterable, Sendable {
    /// Reads where nothing is mapped.
    case segmentation = 101
    /// abort(3), as GLib does when it has no memory.
    case abortion = 102
    /// Reads behind the end of a file that is mapped.
    case busError = 103
    /// An instruction that the processor does not know.
    case illegalInstruction = 104
    /// Calls itself until its stack is used up.
    case recursion = 105
    /// A system call that the sandbox forbids.
    case forbiddenCall = 106
    /// Writes a result without end.
    case endlessResult = 107
    /// exit(3) with status 0.
    case exit = 108
    /// Computes without end.
    case spin = 109
    /// Sleeps without end.
    case sleep = 110
    /// Takes memory without end, and touches it.
    case allocation = 111
    /// Crashes if the worker has served before, and makes the picture if not.
    case crashUnlessFresh = 112
}
