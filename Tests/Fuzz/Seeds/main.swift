internal import AttachmentRules
internal import Glibc
internal import JobProtocol
internal import Scenes

/// Writes the seeds that a fuzzer starts from, DIR/TARGET/NAME: small pictures made by our own code, and the builders
/// of the probe's tests for what no encoder here writes.
///
///     mediaprep-fuzz-seeds DIR

func stop(_ message: String) -> Never {
    let line = Array("mediaprep-fuzz-seeds: \(message)\n".utf8)
    _ = line.withUnsafeBytes { Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
    exit(1)
}

func write(_ bytes: [UInt8], to path: String) {
    guard let file = fopen(path, "w") else { stop("\(path): \(String(cString: strerror(errno)))") }
    let written = fwrite(bytes, 1, bytes.count, file)
    guard fclose(file) == 0, written == bytes.count else { stop("\(path): \(String(cString: strerror(errno)))") }
}

guard CommandLine.arguments.count == 2 else { stop("usage: mediaprep-fuzz-seeds DIR") }
let folder = CommandLine.arguments[1]
do {
    for (target, seeds) in try Seeds.all() {
        mkdir("\(folder)/\(target)", 0o777)
        for (name, bytes) in seeds { write(bytes, to: "\(folder)/\(target)/\(name)") }
    }
} catch {
    stop("a seed cannot be made: \(error)")
}
