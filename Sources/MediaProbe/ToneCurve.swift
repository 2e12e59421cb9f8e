internal import Glibc

/// The tone curve of one channel of an ICC profile: from stored value to light, both 0 to 1.
enum ToneCurve {
    case gamma(Double)
    case table([Double])
    /// `parametricCurveType` function 1 to 4, spread to the seven numbers of function 4.
    case parametric(g: Double, a: Double, b: Double, c: Double, d: Double, e: Double, f: Double)

    init?(_ reader: ICCReader, at tag: Range<Int>) {
        let start = tag.lowerBound
        switch reader.signature(start) {
        case "curv":
            guard let count = reader.u32(start + 8), count <= 4096, 12 + count * 2 <= tag.count else { return nil }
            switch count {
            case 0: self = .gamma(1)
            case 1:
                guard let gamma = reader.u16(start + 12) else { return nil }
                self = .gamma(Double(gamma) / 256)
            default:
                self = .table((0..<count).compactMap { reader.u16(start + 12 + $0 * 2) }.map { Double($0) / 65_535 })
            }
        case "para":
            guard let kind = reader.u16(start + 8), kind <= 4 else { return nil }
            let count = [1, 3, 4, 5, 7][kind]
            guard 12 + count * 4 <= tag.count else { return nil }
            let p = (0..<count).compactMap { reader.s15Fixed16(start + 12 + $0 * 4) }
            guard p.count == count else { return nil }
            switch kind {
            case 0: self = .gamma(p[0])
            case 3: self = .parametric(g: p[0], a: p[1], b: p[2], c: p[3], d: p[4], e: 0, f: 0)
            case 4: self = .parametric(g: p[0], a: p[1], b: p[2], c: p[3], d: p[4], e: p[5], f: p[6])
            // Functions 1 and 2 describe other devices' curves; sRGB is never written that way.
            default: return nil
            }
        default:
            return nil
        }
    }

    /// Light for a stored value.
    func light(_ x: Double) -> Double {
        switch self {
        case .gamma(let gamma):
            return pow(x, gamma)
        case .table(let values):
            let place = x * Double(values.count - 1)
            let low = min(Int(place), values.count - 2)
            return values[low] + (values[low + 1] - values[low]) * (place - Double(low))
        case .parametric(let g, let a, let b, let c, let d, let e, let f):
            return x >= d ? pow(max(a * x + b, 0), g) + e : c * x + f
        }
    }

    /// True when every stored value means the light that sRGB gives it, within one step of 255.
    var isSRGB: Bool {
        (0...64).allSatisfy { index in
            let x = Double(index) / 64
            let light = light(x)
            let back = light <= 0.003_130_8 ? 12.92 * light : 1.055 * pow(light, 1 / 2.4) - 0.055
            return abs(back - x) <= 1.0 / 255
        }
    }
}
