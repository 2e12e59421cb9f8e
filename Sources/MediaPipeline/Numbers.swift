/// Numbers in memory of their own, for loops that must not check every index.
struct Numbers<Element: BitwiseCopyable>: ~Copyable {
    let start: UnsafeMutablePointer<Element>

    init(repeating number: Element, count: Int) {
        start = .allocate(capacity: count)
        start.initialize(repeating: number, count: count)
    }

    init(_ numbers: [Element]) {
        start = .allocate(capacity: numbers.count)
        start.initialize(from: numbers, count: numbers.count)
    }

    deinit {
        start.deallocate()
    }
}
