/// Makes a system call that reports failure as -1, again for as long as a signal interrupts it.
///
/// Not for close(2) and fsync(2): Linux has let go of the descriptor, or of the error, after the first attempt.
@discardableResult
func systemCall<Value: SignedInteger>(_ call: () -> Value) throws(Errno) -> Value {
    while true {
        let value = call()
        if value != -1 { return value }
        let error = Errno.current
        if error != .interrupted { throw error }
    }
}
