internal import Glibc

/// What libFuzzer calls for every input: the bytes, in a block of exactly their length, and how many they are.
/// `main` is its own.
///
/// The environment's `MEDIAPREP_FUZZ_TARGET` says which target is tried.
@_cdecl("LLVMFuzzerTestOneInput")
public func checkOneInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    chosen.check(UnsafeBufferPointer(start: bytes, count: count)) ? 0 : -1
}

private let chosen: FuzzTarget = {
    let name = getenv("MEDIAPREP_FUZZ_TARGET").map { String(cString: $0) } ?? ""
    guard let target = FuzzTarget.all.first(where: { $0.name == name }) else {
        fatalError("MEDIAPREP_FUZZ_TARGET is none of \(FuzzTarget.all.map(\.name).joined(separator: ", "))")
    }
    return target
}()
