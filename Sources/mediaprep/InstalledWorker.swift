internal import Kernel

/// The worker, which is installed beside this program.
enum InstalledWorker {
    static func path() throws(UsageError) -> FilePath {
        do throws(Errno) {
            return try RunningProgram.path().removingLastComponent.appending("mediaprep-worker")
        } catch {
            throw UsageError(message: "cannot tell where mediaprep is installed: is /proc mounted?")
        }
    }
}
