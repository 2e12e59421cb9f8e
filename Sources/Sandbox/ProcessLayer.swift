internal import CLinux
internal import Glibc

/// Neither privileges nor a way to them, nothing to be read from outside, a group of its own, and an end together with
/// the parent.
enum ProcessLayer {
    static func enter(parent: Int32) throws(SandboxError) {
        try ask("setpgid") { setpgid(0, 0) }
        try verify("the process group", equals: getpid()) { getpgrp() }

        try ask("PR_SET_PDEATHSIG") { linux_set_parent_death_signal(SIGKILL) }
        try verify("the parent's death signal", equals: SIGKILL) { linux_parent_death_signal() }
        // Only now is it sure that a parent that is gone did not go just before.
        try verify("the parent", equals: parent) { getppid() }

        try ask("PR_SET_NO_NEW_PRIVS") { linux_forbid_new_privileges() }
        try verify("no_new_privs", equals: 1) { linux_forbids_new_privileges() }
        try ask("capset") { linux_drop_capabilities() }
        try verify("capabilities left", equals: 0) { linux_has_capabilities() }

        try ask("PR_SET_DUMPABLE") { linux_forbid_dumping() }
        try verify("dumpable", equals: 0) { linux_is_dumpable() }
    }
}
