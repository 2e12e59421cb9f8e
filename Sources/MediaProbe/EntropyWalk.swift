/// Steps over every code of a JPEG's scans, without making a sample: that a picture is whole and means something shows
/// only there.
struct EntropyWalk {
    private let frame: JpegFrame
    /// For each component and coefficient the lowest bit that is coded so far; -1 while none is.
    private var lowestBits: [[Int]]
    /// For each component's blocks the coefficients that are not zero so far, of a progressive picture.
    private var nonZero: [[UInt64]]

    init(_ frame: JpegFrame) {
        self.frame = frame
        lowestBits = frame.components.map { _ in [Int](repeating: -1, count: 64) }
        nonZero = frame.components.indices.map { index in
            [UInt64](repeating: 0, count: frame.isProgressive ? frame.blocks(of: [index]) : 0)
        }
    }

    /// Whether every coefficient was coded, down to its last bit.
    var isWhole: Bool { lowestBits.allSatisfy { $0.allSatisfy { $0 == 0 } } }

    /// The codes that a scan uses for one of its components.
    struct Codes {
        /// Nil in a scan that needs none.
        let dc: JpegCode?
        let ac: JpegCode?
    }

    /// Walks one scan; false when its header does not fit what came before, when a code is none, or when its data are
    /// shorter or longer than its blocks.
    ///
    /// - Parameters:
    ///   - approximation: the last byte of the scan's header.
    ///   - codes: one for each component of the scan.
    mutating func walk(
        _ scan: JpegScan, approximation: UInt8, codes: [Codes], data: Range<Int>, of bytes: Span<UInt8>
    ) -> Bool {
        let first = Int(scan.spectralStart)
        let last = Int(scan.spectralEnd)
        let high = Int(approximation >> 4)
        let low = Int(approximation & 15)
        if frame.isProgressive {
            guard high == 0 || high == low + 1, low <= 13 else { return false }
        } else {
            guard first == 0, last == 63, approximation == 0 else { return false }
        }
        for component in scan.components {
            for coefficient in first...last {
                guard lowestBits[component][coefficient] == (high == 0 ? -1 : high) else { return false }
                lowestBits[component][coefficient] = low
            }
        }
        var bits = EntropyBits(data)
        let isSound =
            if !frame.isProgressive {
                walkBlocks(of: scan) { Self.sequential(codes[$0], &bits, bytes) }
            } else if first > 0 {
                high == 0
                    ? walkFirst(scan.components[0], first...last, codes[0], &bits, bytes)
                    : walkRefinement(scan.components[0], first...last, codes[0], &bits, bytes)
            } else if high == 0 {
                walkBlocks(of: scan) { Self.dc(codes[$0], &bits, bytes) }
            } else {
                walkBlocks(of: scan) { _ in bits.take(1, from: bytes) != nil }
            }
        return isSound && bits.isAtEnd()
    }

    /// Calls `walk` with the place in the scan of each block's component, in the order in which the blocks are coded.
    private func walkBlocks(of scan: JpegScan, _ walk: (Int) -> Bool) -> Bool {
        let blocks = frame.blocks(of: scan.components)
        // A scan of one component has no padding, and no order but that of its rows.
        let unit =
            scan.components.count == 1
            ? [0]
            : scan.components.enumerated().flatMap { place, index in
                [Int](repeating: place, count: frame.components[index].horizontal * frame.components[index].vertical)
            }
        for _ in 0..<blocks / unit.count {
            for place in unit where !walk(place) { return false }
        }
        return true
    }

    private static func dc(_ codes: Codes, _ bits: inout EntropyBits, _ bytes: Span<UInt8>) -> Bool {
        guard let size = codes.dc?.next(&bits, from: bytes) else { return false }
        return bits.take(size, from: bytes) != nil
    }

    private static func sequential(_ codes: Codes, _ bits: inout EntropyBits, _ bytes: Span<UInt8>) -> Bool {
        guard dc(codes, &bits, bytes), let ac = codes.ac else { return false }
        var coefficient = 1
        while coefficient < 64 {
            guard let symbol = ac.next(&bits, from: bytes) else { return false }
            if symbol == 0 { break }
            guard symbol & 15 > 0 || symbol == 0xF0 else { return false }
            // Of a run of 16 zeros the last one is the coefficient itself.
            coefficient += symbol >> 4
            guard coefficient < 64, bits.take(symbol & 15, from: bytes) != nil else { return false }
            coefficient += 1
        }
        return true
    }

    /// The first scan of some AC coefficients of one component (T.81, G.1.2.2).
    private mutating func walkFirst(
        _ component: Int, _ band: ClosedRange<Int>, _ codes: Codes, _ bits: inout EntropyBits, _ bytes: Span<UInt8>
    ) -> Bool {
        guard let ac = codes.ac else { return false }
        var emptyBlocks = 0
        for block in nonZero[component].indices {
            if emptyBlocks > 0 {
                emptyBlocks -= 1
                continue
            }
            var coefficient = band.lowerBound
            while coefficient <= band.upperBound {
                guard let symbol = ac.next(&bits, from: bytes) else { return false }
                let run = symbol >> 4
                if symbol & 15 == 0, run < 15 {
                    guard let more = bits.take(run, from: bytes) else { return false }
                    emptyBlocks = 1 << run + more - 1
                    break
                }
                coefficient += run
                guard coefficient <= band.upperBound, bits.take(symbol & 15, from: bytes) != nil else { return false }
                if symbol & 15 > 0 { nonZero[component][block] |= 1 << UInt64(coefficient) }
                coefficient += 1
            }
        }
        return emptyBlocks == 0
    }

    /// A later scan, with one more bit of the same coefficients (T.81, G.1.2.3).
    private mutating func walkRefinement(
        _ component: Int, _ band: ClosedRange<Int>, _ codes: Codes, _ bits: inout EntropyBits, _ bytes: Span<UInt8>
    ) -> Bool {
        guard let ac = codes.ac else { return false }
        var emptyBlocks = 0
        for block in nonZero[component].indices {
            var known = nonZero[component][block]
            var coefficient = band.lowerBound
            while emptyBlocks == 0, coefficient <= band.upperBound {
                guard let symbol = ac.next(&bits, from: bytes) else { return false }
                let run = symbol >> 4
                if symbol & 15 == 0, run < 15 {
                    guard let more = bits.take(run, from: bytes) else { return false }
                    emptyBlocks = 1 << run + more
                    break
                }
                // A coefficient that becomes one or minus one has its sign before the others' bits.
                guard symbol & 15 <= 1, bits.take(symbol & 15, from: bytes) != nil else { return false }
                // Over coefficients that are not zero, each with a bit of its own, and over as many that are as the run has.
                let start = coefficient
                var zeros = run
                while coefficient <= band.upperBound {
                    if known >> UInt64(coefficient) & 1 == 0 {
                        if zeros == 0 { break }
                        zeros -= 1
                    }
                    coefficient += 1
                }
                guard coefficient <= band.upperBound,
                    Self.skip(known, start...coefficient, &bits, bytes)
                else { return false }
                if symbol & 15 == 1 { known |= 1 << UInt64(coefficient) }
                coefficient += 1
            }
            if emptyBlocks > 0 {
                if known != 0, coefficient <= band.upperBound {
                    guard Self.skip(known, coefficient...band.upperBound, &bits, bytes) else { return false }
                }
                emptyBlocks -= 1
            }
            nonZero[component][block] = known
        }
        return emptyBlocks == 0
    }

    /// Skips one bit for each coefficient of the band that is known not to be zero.
    private static func skip(
        _ known: UInt64, _ band: ClosedRange<Int>, _ bits: inout EntropyBits, _ bytes: Span<UInt8>
    ) -> Bool {
        let mask = UInt64.max << UInt64(band.lowerBound) & UInt64.max >> UInt64(63 - band.upperBound)
        var left = (known & mask).nonzeroBitCount
        while left > 0 {
            guard bits.take(min(left, 16), from: bytes) != nil else { return false }
            left -= min(left, 16)
        }
        return true
    }
}
