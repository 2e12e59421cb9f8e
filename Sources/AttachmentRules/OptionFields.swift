/// The attachment options that a payload carries, under the names that its reader has for them.
enum OptionFields {
    static func judge(_ document: PayloadDocument, _ list: inout FindingList) {
        let root = document.root
        switch document.provider {
        case .apns:
            let attachments =
                root.values(at: ["attachments", "*", "options"]) + root.values(at: ["attachment", "options"])
            for options in attachments { judge(options, "thumbnail_clipping_rect", "thumbnail_time", &list) }
        case .airship:
            for options in root.values(at: ["com.urbanairship.media_attachment", "options"]) {
                judge(options, "crop", "time", &list)
            }
        case .notifee:
            for options in root.values(at: ["notifee_options", "ios", "attachments", "*"]) {
                judge(options, "thumbnailClippingRect", "thumbnailTime", &list)
            }
        default: break
        }
    }

    private static func judge(
        _ options: JSONValue, _ rectangleKey: String, _ timeKey: String, _ list: inout FindingList
    ) {
        var told = AttachmentOptions(identifier: "", typeHint: "")
        told.thumbnailClippingRectangle = options[rectangleKey].map { value in
            // What is missing or no number lies nowhere.
            func number(_ key: String) -> Double { value[key]?.double ?? .nan }
            return UnitRectangle(x: number("x"), y: number("y"), width: number("width"), height: number("height"))
        }
        told.thumbnailTime = options[timeKey].map { $0.double ?? .nan }
        // How long the file is, the payload does not say.
        list.add(
            OptionRules.findings(of: told, facts: AttachmentFacts(bytes: 1, mediaType: nil), profile: list.profile))
    }
}
