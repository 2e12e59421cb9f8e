internal import Kernel
internal import Service

extension BatchFailure {
    /// What it is, and what to do about it, without the program's name.
    var sentence: String {
        switch self {
        case .source(let path, let error): "\(path): \(error)"
        case .nameless(let path):
            "\(path) gives no name to be mirrored below; name the directory itself, or give it alone"
        case .outputIsSource(let path):
            "\(path) is a SOURCE and the --output DIR at once, and results would replace originals; "
                + "choose another DIR (one inside the SOURCE is fine)"
        case .sameTarget(let one, let other):
            "\(one) and \(other) would have one place in DIR; give them one batch each, or list them with "
                + "--files-from, which keeps their paths"
        case .output(let path, let error): "cannot write \(path): \(error)"
        case .outputInUse(let path): "another batch is writing to \(path)"
        case .standardOutput(let error): "cannot write standard output: \(error)"
        case .resources(let error): "the system gives no more threads or memory files: \(error)"
        case .workers(let error): "\(error)"
        }
    }

    /// True where the command line is to blame.
    var isOfTheRequest: Bool {
        switch self {
        case .source, .nameless, .outputIsSource, .sameTarget: true
        case .output, .outputInUse, .standardOutput, .resources, .workers: false
        }
    }
}
