extension Push {
    /// The attachments in the order in which they are shown: that of `order`, or else of their names' bytes ascending,
    /// with digits compared as numbers, so that `2.jpg` comes before `10.jpg`.
    ///
    /// - Parameter names: of the attachments, each once.
    /// - Throws: rule PAY008 where `order` leaves one out or names one that is not there, and where `texts` has not
    ///   one text for each.
    public func arranged(_ names: [String]) throws(Rejection) -> [String] {
        if let texts, texts.count != names.count {
            throw Rejection(
                badPush: "texts has \(texts.count) texts for \(names.count) attachments; give one for each, or none")
        }
        guard let order else { return names.sorted(by: Self.precedes) }
        if let twice = Self.repeated(order) {
            throw Rejection(badPush: "order names \(Self.quoted(twice)) more than once")
        }
        let given = Set(names.map { Array($0.utf8) })
        let ordered = Set(order.map { Array($0.utf8) })
        let strangers = order.filter { !given.contains(Array($0.utf8)) }
        let forgotten = names.filter { !ordered.contains(Array($0.utf8)) }
        guard strangers.isEmpty, forgotten.isEmpty else {
            func list(_ names: [String]) -> String { names.map(Self.quoted).joined(separator: ", ") }
            let parts =
                (strangers.isEmpty ? [] : ["names \(list(strangers)), which is not there"])
                + (forgotten.isEmpty ? [] : ["leaves out \(list(forgotten.sorted(by: Self.precedes)))"])
            throw Rejection(badPush: "order \(parts.joined(separator: " and ")); it has to name each attachment once")
        }
        return order
    }

    /// Where each attachment of `arranged` stands among these names, which may be of several pushes.
    ///
    /// - Throws: rule PAY008 as `arranged`, and where two names are the same.
    public func places(of names: [String]) throws(Rejection) -> [Int] {
        if let twice = Self.repeated(names) {
            throw Rejection(
                badPush:
                    "two attachments have the name \(Self.quoted(twice)), and no order tells them apart; leave it out"
            )
        }
        let places = Dictionary(uniqueKeysWithValues: names.enumerated().map { (Array($1.utf8), $0) })
        return try arranged(names).compactMap { places[Array($0.utf8)] }
    }

    private static func precedes(_ one: String, _ other: String) -> Bool {
        var left = Array(one.utf8)[...]
        var right = Array(other.utf8)[...]
        while let first = left.first, let second = right.first {
            if isDigit(first), isDigit(second) {
                let number = takeNumber(&left)
                let otherNumber = takeNumber(&right)
                if number.count != otherNumber.count { return number.count < otherNumber.count }
                if number != otherNumber { return number.lexicographicallyPrecedes(otherNumber) }
            } else if first != second {
                return first < second
            } else {
                left.removeFirst()
                right.removeFirst()
            }
        }
        if left.isEmpty != right.isEmpty { return left.isEmpty }
        // `01` and `1` are the same number.
        return one.utf8.lexicographicallyPrecedes(other.utf8)
    }

    /// The digits at the start, without leading zeros.
    private static func takeNumber(_ bytes: inout ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let digits = bytes.prefix(while: isDigit)
        bytes = bytes.dropFirst(digits.count)
        return digits.drop { $0 == UInt8(ascii: "0") }
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
}
