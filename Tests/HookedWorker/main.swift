import Glibc
import JobProtocol
import MediaPipeline
import MediaProbe
import Misbehaviour
import WorkerProgram

// The real worker in the real sandbox, which makes every picture but those whose width is a hook's.
var served = 0
WorkerProgram(start: MediaPipeline.start, remarks: MediaPipeline.takeRemarks) { source, request, write in
    defer { served += 1 }
    if let hook = Hook(rawValue: request.facts.width) { hook.run(served: served, write) }
    return MediaPipeline.process(source, request: request, write: write)
}.run()

extension Hook {
    func run(served: Int, _ write: (UnsafeRawBufferPointer) throws -> Void) {
        // A sanitizer would catch the signals and exit instead.
        for caught in [SIGSEGV, SIGABRT, SIGBUS, SIGILL] { signal(caught, SIG_DFL) }
        switch self {
        case .segmentation: read(at: 8)
        case .abortion: abort()
        case .busError: readBehindResult()
        case .illegalInstruction: raise(SIGILL)
        case .recursion: Glibc.exit(recurse(1) & 1)
        case .forbiddenCall: _ = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        case .endlessResult: writeForEver(write)
        case .exit: Glibc.exit(0)
        case .spin: while true {}
        case .sleep: while true { Glibc.sleep(1_000) }
        case .allocation: allocateForEver()
        case .crashUnlessFresh: if served > 0 { read(at: 8) }
        }
    }
}

@inline(never) private func read(at address: UInt) {
    guard let pointer = UnsafePointer<UInt8>(bitPattern: address), pointer.pointee != 0 else { return }
}

/// The result is empty, and so is its mapping.
private func readBehindResult() {
    // A worker has nothing but its streams, its socket at 3 and the two files of its job.
    guard let page = mmap(nil, 4_096, PROT_READ, MAP_PRIVATE, 5, 0), page != MAP_FAILED else { exit(1) }
    read(at: UInt(bitPattern: page))
}

@inline(never) private func recurse(_ depth: Int32) -> Int32 {
    depth == 0 ? 0 : recurse(depth &+ 1) &+ recurse(depth &+ 2)
}

private func writeForEver(_ write: (UnsafeRawBufferPointer) throws -> Void) {
    let page = [UInt8](repeating: 0xFF, count: 4_096)
    while (try? page.withUnsafeBytes(write)) != nil {}
}

private func allocateForEver() {
    while true {
        guard let block = malloc(1 << 20) else { abort() }
        memset(block, 1, 1 << 20)
    }
}
