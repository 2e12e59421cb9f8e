/// What can be cut of a push whose payload is too long.
struct PayloadCut {
    let template: PayloadTemplate
    let push: Push
    let bytes: Int
    let limit: Int

    /// A text of the push that a person wrote, and the push without it.
    private struct Field {
        var name: String
        var text: String
        var without: (inout Push) -> Void
    }

    /// PAY001, with the longest text and by how many bytes it has to be shorter; bytes are counted as JSON escapes them.
    func rejection() throws(Rejection) -> Rejection {
        let excess = bytes - limit
        var advice = "leave out custom fields or attachments of \(excess) bytes"
        // Lengths as they are in the payload, where a control character takes six bytes.
        let fields = fields.map { (field: $0, length: JSONValue.escapedLength(of: $0.text)) }
        if let (field, length) = fields.max(by: { $0.length < $1.length }), length > 0 {
            var shorter = push
            field.without(&shorter)
            // A provider may be told a text twice.
            let saved = bytes - (try template.content(of: shorter)).bytes.count
            let times = max(1, saved / length)
            let cut = (excess + times - 1) / times
            advice =
                cut <= length
                ? "cut \(field.name), which has \(length), by \(cut)"
                : "\(advice); the longest text, \(field.name), has only \(length)"
        }
        return Rejection(
            .payloadTooLarge, rule: .payloadTooLarge, stage: .push,
            "the payload has \(bytes) bytes of \(limit); \(advice)")
    }

    private var fields: [Field] {
        var fields: [Field] = []
        switch push.alert {
        case .string(let text): fields.append(Field(name: "alert", text: text) { $0.alert = .string("") })
        case .object(let members):
            for (key, value) in members.sorted(by: { $0.key < $1.key }) {
                guard let text = value.text else { continue }
                fields.append(
                    Field(name: "alert.\(key)", text: text) { push in
                        push.alert = .object(members.merging([key: .string("")]) { $1 })
                    })
            }
        default: break
        }
        for (index, text) in (push.texts ?? []).prefix(template.textsCarried).enumerated() {
            fields.append(Field(name: "the text of attachment \(index + 1)", text: text) { $0.texts?[index] = "" })
        }
        for (key, value) in (push.custom ?? [:]).sorted(by: { $0.key < $1.key }) {
            guard let text = value.text else { continue }
            fields.append(Field(name: "custom \(Push.quoted(key))", text: text) { $0.custom?[key] = .string("") })
        }
        return fields
    }
}
