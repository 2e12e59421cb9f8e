/// First in, first out.
struct TurnQueue<Element: Sendable>: Sendable {
    private var elements: [Element] = []
    private var start = 0

    var count: Int { elements.count - start }

    mutating func append(_ element: Element) {
        elements.append(element)
    }

    mutating func popFirst() -> Element? {
        guard start < elements.count else { return nil }
        defer {
            start += 1
            if start > 1024 && start > elements.count / 2 {
                elements.removeFirst(start)
                start = 0
            }
        }
        return elements[start]
    }

    mutating func removeAll(where shouldBeRemoved: (Element) -> Bool) {
        elements.removeFirst(start)
        start = 0
        elements.removeAll(where: shouldBeRemoved)
    }
}
