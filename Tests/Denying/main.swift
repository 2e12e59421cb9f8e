import CSeccomp
import Glibc
import Kernel

// Runs a command on a system that lacks some calls: they answer ENOSYS, or EPERM where a call is written `call!`. A
// call with a number behind a colon is denied with that first argument only.
//
// usage: denying CALL[:NUMBER][!]... -- COMMAND [ARGUMENT...]
func fail(_ message: String) -> Never {
    try? StandardStream.error.writeAll(Array("denying: \(message)\n".utf8).span)
    exit(125)
}

let arguments = CommandLine.arguments.dropFirst()
guard let end = arguments.firstIndex(of: "--"), end + 1 < arguments.endIndex else {
    fail("usage: denying CALL[:NUMBER][!]... -- COMMAND [ARGUMENT...]")
}
guard let filter = shim_filter(shim_allow()) else { fail("no memory for a filter") }
for word in arguments[..<end] {
    let parts = word.split(separator: "!", omittingEmptySubsequences: false)[0].split(separator: ":")
    let number = seccomp_syscall_resolve_name(String(parts[0]))
    let comparisons = parts.dropFirst().compactMap { UInt64($0) }.map {
        scmp_arg_cmp(arg: 0, op: SCMP_CMP_EQ, datum_a: $0, datum_b: 0)
    }
    let action = shim_fail(word.hasSuffix("!") ? EPERM : ENOSYS)
    guard number >= 0,
        seccomp_rule_add_array(filter, action, number, UInt32(comparisons.count), comparisons) == 0
    else { fail("cannot deny \(word)") }
}
guard seccomp_load(filter) == 0 else { fail("cannot load the filter") }
seccomp_release(filter)
let command = arguments[(end + 1)...].map { strdup($0) } + [nil]
execv(arguments[end + 1], command)
fail("cannot run \(arguments[end + 1])")
