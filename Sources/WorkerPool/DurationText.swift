extension Duration {
    /// For a sentence: "10 s", "250 ms".
    var inSeconds: String {
        let milliseconds = self / .milliseconds(1)
        return milliseconds < 1000 ? "\(Int(milliseconds)) ms" : "\(Int(milliseconds / 1000)) s"
    }
}
