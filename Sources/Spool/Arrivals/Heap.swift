/// A binary heap: the first element by an order of its own, at the cost of a logarithm.
struct Heap<Element: Sendable>: Sendable {
    private var elements: [Element] = []
    private let precedes: @Sendable (Element, Element) -> Bool

    init(by precedes: @escaping @Sendable (Element, Element) -> Bool) {
        self.precedes = precedes
    }

    var count: Int { elements.count }

    var first: Element? { elements.first }

    mutating func insert(_ element: Element) {
        elements.append(element)
        rise(from: elements.count - 1)
    }

    mutating func popFirst() -> Element? {
        guard let last = elements.popLast() else { return nil }
        if elements.isEmpty { return last }
        return replaceFirst(with: last)
    }

    /// There has to be a first element.
    @discardableResult
    mutating func replaceFirst(with element: Element) -> Element {
        let first = elements[0]
        elements[0] = element
        sink()
        return first
    }

    mutating func removeAll(where shouldBeRemoved: (Element) -> Bool) {
        let kept = elements.filter { !shouldBeRemoved($0) }
        elements = []
        for element in kept { insert(element) }
    }

    /// Everything, the first element first.
    consuming func sorted() -> [Element] {
        elements.sorted(by: precedes)
    }

    private mutating func rise(from start: Int) {
        var child = start
        while child > 0 {
            let parent = (child - 1) / 2
            guard precedes(elements[child], elements[parent]) else { return }
            elements.swapAt(child, parent)
            child = parent
        }
    }

    private mutating func sink() {
        var parent = 0
        while true {
            let left = 2 * parent + 1
            guard left < elements.count else { return }
            let right = left + 1
            let child = right < elements.count && precedes(elements[right], elements[left]) ? right : left
            guard precedes(elements[child], elements[parent]) else { return }
            elements.swapAt(child, parent)
            parent = child
        }
    }
}
