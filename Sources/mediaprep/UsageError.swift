/// What cannot be understood of a command line, as a sentence for the user.
struct UsageError: Error {
    let message: String
}
