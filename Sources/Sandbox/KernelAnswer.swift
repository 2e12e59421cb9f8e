internal import Kernel

/// Makes a call that answers -1 where it fails.
///
/// - Parameter name: what to call it in a message.
@discardableResult
func ask(_ name: String, _ call: () -> Int32) throws(SandboxError) -> Int32 {
    let answer = call()
    if answer < 0 { throw SandboxError(name, .current) }
    return answer
}

/// Asks the kernel whether what was just done took effect.
func verify(_ name: String, equals expected: Int32, _ question: () -> Int32) throws(SandboxError) {
    let answer = try ask(name, question)
    if answer != expected { throw SandboxError("\(name) is \(answer), not \(expected)") }
}
