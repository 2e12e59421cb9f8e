/// Floating-point numbers in memory of their own, for loops that must not check every index.
struct FloatBuffer: ~Copyable {
    let start: UnsafeMutablePointer<Float>

    /// All zero.
    init(count: Int) {
        start = .allocate(capacity: count)
        start.initialize(repeating: 0, count: count)
    }

    init(_ numbers: [Float]) {
        start = .allocate(capacity: numbers.count)
        start.initialize(from: numbers, count: numbers.count)
    }

    deinit {
        start.deallocate()
    }
}
