/// The program's version.
public let mediaprepVersion = "0.1.0"

/// Raised whenever the same recipe gives other bytes or another manifest than before, so that old results are made
/// again.
let engineGeneration = 2
