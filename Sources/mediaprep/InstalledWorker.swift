internal import Kernel

/// The worker for pictures, which is installed beside this program, as that for sound and film is.
enum InstalledWorker {
    static func path() throws(UsageError) -> FilePath {
        do throws(Errno) {
            return try RunningProgram.path().removingLastComponent.appending("mediaprep-worker")
        } catch {
            throw UsageError(message: "cannot tell where mediaprep is installed: is /proc mounted?")
        }
    }
}
