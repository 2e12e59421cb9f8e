/// A steady tone as a file of 16-bit samples, one channel.
public struct Tone: Sendable {
    public var seconds: Double
    /// Hertz.
    public var sampleRate = 8_000
    public var form = Form.wav

    public init(seconds: Double) {
        self.seconds = seconds
    }

    public enum Form: Sendable {
        case wav, aiff
    }

    /// The whole file.
    public var file: [UInt8] {
        let count = Int(seconds * Double(sampleRate))
        // A triangle of 400 Hz, which needs no sine.
        let period = max(sampleRate / 400, 4)
        let samples = (0..<count).map { number in
            let place = number % period
            return Int16(clamping: (place < period / 2 ? place : period - place) * 32_000 / period - 8_000)
        }
        switch form {
        case .wav: return wav(samples)
        case .aiff: return aiff(samples)
        }
    }

    private func wav(_ samples: [Int16]) -> [UInt8] {
        let data = samples.flatMap { little(UInt16(bitPattern: $0)) }
        var format = little(UInt16(1)) + little(UInt16(1)) + little(UInt32(sampleRate)) + little(UInt32(2 * sampleRate))
        format += little(UInt16(2)) + little(UInt16(16))
        return riff("RIFF", Array("WAVE".utf8) + riff("fmt ", format) + riff("data", data))
    }

    private func aiff(_ samples: [Int16]) -> [UInt8] {
        let data = samples.flatMap { big(UInt16(bitPattern: $0)) }
        // The rate as a float of 80 bits: exponent, then a mantissa with its leading one.
        let mantissa = UInt64(sampleRate) << UInt64(UInt64(sampleRate).leadingZeroBitCount)
        let exponent = UInt16(16_383 + 63 - UInt64(sampleRate).leadingZeroBitCount)
        let common = big(UInt16(1)) + big(UInt32(samples.count)) + big(UInt16(16)) + big(exponent) + big(mantissa)
        let sound = big(UInt32(0)) + big(UInt32(0)) + data
        return iff("FORM", Array("AIFF".utf8) + iff("COMM", common) + iff("SSND", sound))
    }

    private func iff(_ name: String, _ body: [UInt8]) -> [UInt8] {
        Array(name.utf8) + big(UInt32(body.count)) + body + (body.count % 2 == 1 ? [0] : [])
    }
}

/// One chunk of a RIFF.
func riff(_ name: String, _ body: [UInt8]) -> [UInt8] {
    Array(name.utf8) + little(UInt32(body.count)) + body + (body.count % 2 == 1 ? [0] : [])
}

func little(_ value: some FixedWidthInteger) -> [UInt8] { withUnsafeBytes(of: value.littleEndian) { Array($0) } }

func big(_ value: some FixedWidthInteger) -> [UInt8] { withUnsafeBytes(of: value.bigEndian) { Array($0) } }
