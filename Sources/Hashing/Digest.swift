internal import CCrypto

/// SHA-256, as 64 lower-case hexadecimal digits.
public enum Digest {
    /// The first 16 digits: enough to tell names and settings apart.
    public static func short(_ bytes: Span<UInt8>) -> String {
        String(hex(bytes).prefix(16))
    }

    public static func hex(_ bytes: Span<UInt8>) -> String {
        var digest = [UInt8](repeating: 0, count: Int(SHA256_DIGEST_LENGTH))
        bytes.withUnsafeBufferPointer { buffer in
            // An empty span has no base address, and SHA256 wants one even for no bytes.
            withUnsafePointer(to: UInt8(0)) { nothing in
                _ = SHA256(buffer.baseAddress ?? nothing, buffer.count, &digest)
            }
        }
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: digest.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }
}
