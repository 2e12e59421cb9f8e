import AttachmentRules
import Foundation
import Testing

/// Payloads of random groups and texts: what is accepted is right, and what is refused fits once it is cut as told.
@Suite struct PayloadPropertyTests {
    /// A generator that makes the same numbers in every run (Steele, Lea and Flood's SplitMix64).
    struct Generator: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var value = state
            value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
            value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
            return value ^ (value >> 31)
        }
    }

    private static let pieces = [
        "a", "Ahoy ", "é", "e\u{301}", "👩‍👩‍👧‍👦", "🏴‍☠️", "שלום", "مرحبا\u{200F}", "\u{202E}", "\"", "\\", "/", "\n", "\t",
        "\u{0}", "\u{1F}",
        "\u{7F}", "\u{2028}", "\u{FEFF}", "漢字", "\u{10FFFF}", "<&>'",
    ]

    private static func text(_ longest: Int, _ random: inout Generator) -> String {
        var text = ""
        let length = Int.random(in: 0...longest, using: &random)
        while text.utf8.count < length { text += pieces.randomElement(using: &random) ?? "" }
        return text
    }

    private static func value(_ depth: Int, _ random: inout Generator) -> JSONValue {
        switch Int.random(in: 0...(depth > 0 ? 6 : 4), using: &random) {
        case 0: .null
        case 1: .bool(.random(using: &random))
        case 2: .integer(.random(in: .min ... .max, using: &random))
        // Whole ones are read back as whole numbers.
        case 3: .number(Double(Int.random(in: -9...9, using: &random)) + 0.1)
        case 4: .string(text(40, &random))
        case 5: .array((0..<3).map { _ in value(depth - 1, &random) })
        default:
            .object(
                Dictionary(
                    (0..<3).map { ("\($0)" + text(9, &random), value(depth - 1, &random)) }, uniquingKeysWith: { $1 })
            )
        }
    }

    private static func push(_ attachments: Int, _ random: inout Generator) -> Push {
        var push = Push()
        let longest = [40, 3000, 4500].randomElement(using: &random) ?? 0
        if Bool.random(using: &random) {
            push.alert = .string("x" + text(longest, &random))
        } else {
            var members: [String: JSONValue] = ["title": .string("x" + text(100, &random))]
            if Bool.random(using: &random) { members["body"] = .string(text(longest, &random)) }
            if Bool.random(using: &random) { members["subtitle"] = .string(text(100, &random)) }
            push.alert = .object(members)
        }
        if Bool.random(using: &random) { push.texts = (0..<attachments).map { _ in text(200, &random) } }
        if Bool.random(using: &random) { push.category = "c" + text(20, &random) }
        if Bool.random(using: &random) { push.threadID = "t" + text(20, &random) }
        if Bool.random(using: &random) {
            push.custom = Dictionary(
                (0..<3).map { ("own-\($0)" + text(9, &random), value(2, &random)) }, uniquingKeysWith: { $1 })
        }
        return push
    }

    private static func attachments(_ count: Int, _ random: inout Generator) -> [PushAttachment] {
        // The last has a picture, without which there is nothing to send to a browser.
        let types: [MediaType] = [.m4a, .jpeg, .png, .gif, .mp4]
        return (0..<count).map { index in
            let digits = String(random.next(), radix: 16)
            let type = types.dropFirst(index == count - 1 ? 1 : 0).randomElement(using: &random) ?? .jpeg
            var attachment = PushAttachment(
                url: "https://cdn.example/\(digits.prefix(2))/\(index)\(digits).\(type.preferredExtension)",
                mediaType: type,
                identifier: String(digits.prefix(6)))
            attachment.sha256 = digits
            attachment.bytes = index + 1
            if type == .mp4 {
                attachment.still = .init(url: "https://cdn.example/\(digits.prefix(2))/\(digits).jpg", mediaType: .jpeg)
            }
            return attachment
        }
    }

    /// As the SDK reads it: by the first key path that leads to anything.
    private static func urls(_ provider: Provider, _ document: [UInt8]) throws -> [String] {
        if provider == .windows {
            return PayloadCheck(document: document, provider: .windows, circumstances: .init()).urls
        }
        let root = try JSONValue(document: document, mostBytes: document.count)
        for path in provider.urlKeyPaths {
            var values = [root]
            for step in path {
                values = values.flatMap { value -> [JSONValue] in
                    switch value {
                    case .array(let elements): step == "*" ? elements : []
                    case .object(let members):
                        step == "*"
                            ? members.sorted { $0.key < $1.key }.map(\.value) : [members[step]].compactMap(\.self)
                    default: []
                    }
                }
            }
            let texts = values.compactMap { if case .string(let text) = $0 { text } else { nil } }
            if !texts.isEmpty { return texts }
        }
        return []
    }

    @Test("1,000 random groups and alerts")
    func payloads() throws {
        var random = Generator(state: 5)
        var accepted = 0
        var refused = 0
        for round in 0..<1000 {
            let attachments = Self.attachments(Int.random(in: 1...4, using: &random), &random)
            var push = Self.push(attachments.count, &random)
            let provider = Provider.allCases[round % Provider.allCases.count]
            if provider == .windows { push.custom = nil }
            var target = PushPayload.Target()
            target.isVoIP = Int.random(in: 0...9, using: &random) == 0
            func make() throws(Rejection) -> PushPayload {
                try PushPayload(
                    attachments: attachments, push: push, provider: provider, target: target, profile: .ios)
            }
            do {
                let payload = try make()
                accepted += 1
                try check(payload, of: push, attachments, target)
            } catch let rejection as Rejection {
                refused += 1
                #expect(rejection.rule == .payloadTooLarge, "round \(round): \(rejection.message)")
                guard let cut = Cut(rejection.message) else { continue }
                cut.apply(to: &push)
                let payload = try make()
                #expect(payload.bytes <= provider.limitBytes(isVoIP: target.isVoIP) ?? .max, "round \(round)")
            }
        }
        #expect(accepted > 600 && refused > 50, "\(accepted) and \(refused)")
    }

    @Test("whatever becomes of a payload, it is judged, in messages that are fit for a line")
    func damaged() throws {
        var random = Generator(state: 6)
        let odd = [
            #"""#, "{", "]", ",", "null", "-1", "\\u0000", "<image src=", "\u{202E}", "https://", "1e999", "\n", "",
        ]
        for round in 0..<1000 {
            let provider = Provider.allCases[round % Provider.allCases.count]
            var push = Push()
            push.alert = .string("Ahoy")
            let attachments = Self.attachments(2, &random)
            var document = String(
                decoding: try PushPayload(
                    attachments: attachments, push: push, provider: provider, target: .init(), profile: .ios
                ).document, as: UTF8.self)
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                let start = document.indices.randomElement(using: &random) ?? document.startIndex
                let rest = document.distance(from: start, to: document.endIndex)
                let end = document.index(start, offsetBy: min(rest, Int.random(in: 0...9, using: &random)))
                document.replaceSubrange(start..<end, with: odd.randomElement(using: &random) ?? "")
            }
            let check = PayloadCheck(
                document: Array(document.utf8), provider: round % 2 == 0 ? nil : provider, circumstances: .init())
            for finding in check.findings {
                #expect(finding.message.utf8.count < 4096)
                #expect(
                    !finding.message.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x202E }, "\(document)")
            }
        }
    }

    private func check(
        _ payload: PushPayload, of push: Push, _ attachments: [PushAttachment], _ target: PushPayload.Target
    ) throws {
        let provider = payload.provider
        #expect(payload.bytes == payload.document.count)
        #expect(payload.bytes <= provider.limitBytes(isVoIP: target.isVoIP) ?? .max)
        let urls = try Self.urls(provider, payload.document)
        let isPicture = [.webpush, .windows].contains(provider)
        let all = attachments.compactMap { attachment in
            isPicture && attachment.mediaType.family != .image ? attachment.still?.url : attachment.url
        }
        #expect(urls == (provider.mostAttachments == nil ? all : [all[0]]))
        guard provider != .windows else { return }
        let root = try JSONValue(document: payload.document, mostBytes: payload.bytes)
        #expect(root.serialized == payload.document)
        #expect(try JSONValue(document: payload.documentForPeople, mostBytes: 1 << 20) == root)
        guard provider == .apns, case .object(let members) = root, case .object(let aps)? = members["aps"] else {
            return
        }
        #expect(aps["alert"] == push.alert)
        #expect(aps["mutable-content"] == .integer(1))
        for (key, value) in push.custom ?? [:] { #expect(members[key] == value) }
        let delivered = try JSONDecoder().decode(DeliveredAttachments.self, from: Data(payload.document)).list
        #expect(delivered.map(\.url) == attachments.map(\.url))
        #expect(delivered.map(\.text) == attachments.indices.map { push.texts?[$0] })
        #expect(delivered.map(\.bytes) == attachments.map(\.bytes))
    }

    /// The advice of a refusal, followed.
    private struct Cut {
        let field: String
        let bytes: Int

        init?(_ message: String) {
            guard let match = message.wholeMatch(of: #/.*; cut (.*), which has \d+, by (\d+)/#),
                let bytes = Int(match.2)
            else { return nil }
            field = String(match.1)
            self.bytes = bytes
        }

        func apply(to push: inout Push) {
            if field == "alert", case .string(let text) = push.alert { push.alert = .string(shorter(text)) }
            if field.hasPrefix("alert."), case .object(var members) = push.alert {
                let key = String(field.dropFirst("alert.".count))
                if case .string(let text)? = members[key] { members[key] = .string(shorter(text)) }
                push.alert = .object(members)
            }
            if let number = field.wholeMatch(of: #/the text of attachment (\d+)/#).flatMap({ Int($0.1) }) {
                if let text = push.texts?[number - 1] { push.texts?[number - 1] = shorter(text) }
            }
        }

        private func shorter(_ text: String) -> String {
            var scalars = text.unicodeScalars
            var saved = 0
            while saved < bytes, let last = scalars.popLast() {
                // Without its quotes.
                saved += JSONValue.string(String(last)).serialized.count - 2
            }
            return String(scalars)
        }
    }
}
