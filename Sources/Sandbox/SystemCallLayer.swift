internal import CLinux
internal import CSeccomp
internal import Glibc
internal import Kernel

/// A filter that lets the calls of `SystemCallRules` through and kills the process at any other.
enum SystemCallLayer {
    static func enter(socket: Int32) throws(SandboxError) {
        guard let filter = shim_filter(shim_kill_process()) else { throw SandboxError("no memory for a filter") }
        defer { seccomp_release(filter) }
        let attributes: [(scmp_filter_attr, UInt32)] = [
            // Calls in the manner of 32-bit programs, which have other numbers.
            (SCMP_FLTATR_ACT_BADARCH, shim_kill_process()),
            (SCMP_FLTATR_CTL_TSYNC, 1),
            // A tree of comparisons instead of one after the other.
            (SCMP_FLTATR_CTL_OPTIMIZE, 2),
        ]
        for (attribute, value) in attributes {
            try check("a filter's attribute") { seccomp_attr_set(filter, attribute, value) }
        }
        for rule in SystemCallRules.rules(socket: socket, process: getpid()) {
            try add(rule, to: filter)
        }
        try check("loading the filter") { seccomp_load(filter) }
        try verify("seccomp's mode", equals: 2) { linux_seccomp_mode() }
        try verifyAnswer()
    }

    /// This error comes from the filter and from nowhere else: Landlock would say EACCES.
    private static func verifyAnswer() throws(SandboxError) {
        do throws(Errno) {
            _ = try FileDescriptor.open("/", flags: .directory)
        } catch .notPermitted {
            return
        } catch {
            throw SandboxError("opening / under the filter", error)
        }
        throw SandboxError("the filter lets / be opened")
    }

    private static func add(_ rule: SystemCallRules.Rule, to filter: scmp_filter_ctx) throws(SandboxError) {
        let number = seccomp_syscall_resolve_name(rule.call)
        // This processor's kernel does not have it.
        guard number >= 0 else { return }
        let action =
            switch rule.answer {
            case .allow: shim_allow()
            case .fail(let error): shim_fail(error.rawValue)
            }
        let comparisons = rule.conditions.map {
            scmp_arg_cmp(arg: $0.argument, op: SCMP_CMP_EQ, datum_a: $0.value, datum_b: 0)
        }
        try check("a rule for \(rule.call)") {
            seccomp_rule_add_array(filter, action, number, UInt32(comparisons.count), comparisons)
        }
    }

    /// libseccomp returns its error as a negative number.
    private static func check(_ name: String, _ call: () -> Int32) throws(SandboxError) {
        let answer = call()
        if answer < 0 { throw SandboxError(name, Errno(rawValue: -answer)) }
    }
}
