internal import AttachmentRules
internal import Configuration
internal import Kernel

/// What the command line of `mediaprep payload` asks for.
struct PayloadRequest {
    /// Manifests; or payloads, where they are to be checked.
    let operands: [FilePath]
    let checks: Bool
    let provider: Provider?
    let configuration: ServeConfiguration
    /// Nil for the one that the push names, or the one in use.
    let profileName: String?
    private(set) var target = PushPayload.Target()
    let baseURL: String?
    let isPretty: Bool
    let printsJSON: Bool
    /// Of the push: each overrules what the manifest or `--push` says.
    let push: FilePath?
    let texts: [String: String]
    let category: String?
    let threadID: String?
    let custom: [String: JSONValue]?
    /// Of a check.
    let categories: [String]
    let outbox: FilePath?
    let manifests: [FilePath]
    let response: ResponseHead?

    init(_ arguments: [[UInt8]]) throws {
        var table = OptionTable()
        let check = table.flag("check", "Tell why payloads, whoever wrote them, would not show media")
        let provider = table.bytes("provider", argument: "NAME", "Whose SDK reads it (apns, or the push's)")
        let title = table.bytes("title", argument: "TEXT", "The alert's title")
        let subtitle = table.bytes("subtitle", argument: "TEXT", "The alert's subtitle")
        let body = table.bytes("body", argument: "TEXT", "The alert's text")
        let category = table.bytes("category", argument: "NAME", "What a content extension is registered for")
        let thread = table.bytes("thread-id", argument: "ID", "What notifications are grouped by")
        let custom = table.bytes("custom", argument: "JSON", "Keys of the app's own: an object, or a file with one")
        let push = table.bytes("push", argument: "FILE", "A push.json, as in the directory of a group")
        let voip = table.flag("voip", "A VoIP push: 5120 bytes instead of 4096")
        let token = table.bytes("token", argument: "TOKEN", "Of the device (fcm, expo)")
        let app = table.bytes("app-id", argument: "ID", "Of the app at the provider (onesignal)")
        let base = table.bytes("base-url", argument: "URL", "What URLs start with where manifests have none")
        let profile = table.bytes("profile", argument: "NAME", "Whose severities hold (the push's, or the one in use)")
        let config = table.bytes(
            "config", argument: "FILE", "Key file with profiles (\(ServeConfiguration.standardFile))")
        let pretty = table.flag("pretty", "Laid out for people; the length counts without")
        let categories = table.bytes("categories", argument: "LIST", "With --check: those known, between commas")
        let outbox = table.bytes("outbox", argument: "DIR", "With --check: media have to lie here as published")
        let manifests = table.list(
            "manifest", argument: "FILE", "With --check: media have to be those of this; may be repeated")
        let response = table.bytes(
            "response", argument: "FILE", "With --check: what curl -I printed for the first URL")
        let json = table.flag("json", "With --check: a JSON object a line")
        let operands = try table.parse(
            arguments, program: PayloadCommand.program, operands: "MANIFEST... | --check FILE...",
            summary: Self.summary, description: Self.description)

        checks = check.isSet
        guard !operands.isEmpty else {
            throw UsageError(message: checks ? "no FILE was given" : "no MANIFEST was given")
        }
        self.operands = operands.map { FilePath(bytes: $0) }
        let given = try [
            ("title", title), ("subtitle", subtitle), ("body", body), ("category", category), ("thread-id", thread),
            ("token", token), ("app-id", app), ("base-url", base), ("profile", profile), ("provider", provider),
            ("categories", categories), ("custom", custom),
        ].reduce(into: [String: String]()) { texts, option in
            guard let bytes = option.1.value else { return }
            guard let text = String(validating: bytes, as: UTF8.self) else {
                throw UsageError(message: "--\(option.0) is not text in UTF-8")
            }
            texts[option.0] = text
        }
        self.provider = try given["provider"].map { name in
            guard let provider = Provider(rawValue: name) else {
                throw UsageError(message: "--provider takes one of \(Provider.names), not \"\(FilePath(name))\"")
            }
            return provider
        }
        texts = given.filter { ["title", "subtitle", "body"].contains($0.key) }
        self.category = given["category"]
        threadID = given["thread-id"]
        self.custom = try given["custom"].map(Self.customKeys)
        self.push = push.value.map { FilePath(bytes: $0) }
        target.isVoIP = voip.isSet
        target.token = given["token"]
        target.appID = given["app-id"]
        configuration = try ServeConfiguration.read(
            file: config.value.map { FilePath(bytes: $0) },
            options: given["base-url"].map { ["base-url": Array($0.utf8)] } ?? [:])
        baseURL = configuration.settings.baseURL
        profileName = given["profile"]
        isPretty = pretty.isSet
        printsJSON = json.isSet
        self.categories =
            given["categories"].map { $0.split(separator: ",").map(Self.trimmed).filter { !$0.isEmpty } }
            ?? configuration.settings.categories
        self.outbox = outbox.value.map { FilePath(bytes: $0) }
        self.response = try response.value.map { bytes throws(UsageError) in
            let path = FilePath(bytes: bytes)
            let text = String(decoding: try SmallFile.read(path, mostBytes: 1 << 20), as: UTF8.self)
            guard let head = ResponseHead(text) else {
                throw UsageError(message: "\(path.escapedForTerminal) is no answer of a server, as curl -I prints it")
            }
            return head
        }
        self.manifests = manifests.values.map { FilePath(bytes: $0) }
    }

    /// The profile of that name, or else the one that the command line or the settings name.
    func profile(named name: String?) throws(UsageError) -> Profile {
        guard let name = profileName ?? name else { return configuration.settings.profile }
        guard let profile = configuration.settings.profiles.first(where: { $0.name == name }) else {
            let known = configuration.settings.profiles.map(\.name).joined(separator: ", ")
            throw UsageError(message: "there is no profile \"\(FilePath(name))\"; there are: \(known)")
        }
        return profile
    }

    /// Without the blanks that people put behind a comma.
    private static func trimmed(_ name: Substring) -> String {
        String(name.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }

    private static func customKeys(_ text: String) throws(UsageError) -> [String: JSONValue] {
        let isInline = text.drop(while: \.isWhitespace).first == "{"
        let bytes = isInline ? Array(text.utf8) : try SmallFile.read(FilePath(text), mostBytes: Push.mostBytes)
        do throws(JSONValue.ReadError) {
            let value = try JSONValue(document: bytes, mostBytes: Push.mostBytes, isForSending: true)
            if case .object(let members) = value { return members }
        } catch {
            throw UsageError(message: "--custom \(error.reason)")
        }
        throw UsageError(message: "--custom takes a JSON object")
    }

    private static let summary = """
        Writes the push whose attachments the MANIFESTs tell of, as the provider's SDK
        reads it; a group's manifest has all its attachments and its push. Or tells,
        with --check, why payloads would not show their media.
        """

    private static let description = """
        Providers: apns, fcm, onesignal (its API), onesignal-device, airship, braze,
        iterable, clevertap, batch, leanplum, kumulos, klaviyo, customerio, pinpoint,
        salesforce, adobe, expo, homeassistant, notifee, webpush, windows (XML).

        What options say of the push comes before --push FILE, and that before what a
        group's manifest says. Attachments are in the order of the MANIFESTs, or in that
        of the push. A payload that is too long is refused, with the text to cut. It is
        printed as it is to be sent, without a line feed at its end.

        With --check the provider is told by the keys. FILE may be - for standard input.

        Exit status:
          0  written; or nothing that is an error was found
          1  refused; or it would not show, and standard output says why
          2  the command line, the settings or a file are wrong
          3  standard output cannot be written
        """
}
