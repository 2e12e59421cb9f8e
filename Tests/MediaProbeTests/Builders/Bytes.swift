/// Numbers as bytes, for building files.
func big16(_ value: Int) -> [UInt8] { [UInt8(value >> 8 & 0xFF), UInt8(value & 0xFF)] }
func big32(_ value: Int) -> [UInt8] { big16(value >> 16 & 0xFFFF) + big16(value & 0xFFFF) }
func little16(_ value: Int) -> [UInt8] { big16(value).reversed() }
func little24(_ value: Int) -> [UInt8] { Array(big32(value).reversed().prefix(3)) }
func little32(_ value: Int) -> [UInt8] { big32(value).reversed() }
func ascii(_ text: String) -> [UInt8] { Array(text.utf8) }

/// A repeatable sequence of numbers (SplitMix64).
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
        return value ^ value >> 31
    }
}
