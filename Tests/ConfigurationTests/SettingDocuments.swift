import AttachmentRules
import Configuration
import Foundation
import Kernel

/// The documents that tell of every setting, as they have to be.
enum SettingDocuments {
    static let project = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..").standardized

    /// `systemd/mediaprep.conf`: every key, commented out, with its default.
    static var sample: String {
        func lines<Subject>(_ settings: [Setting<Subject>], _ standard: (Setting<Subject>) -> String) -> String {
            settings.map { setting in
                let restart = setting.needsRestart ? " A change needs a restart." : ""
                let text = standard(setting)
                return """

                    # \(setting.documentation).
                    # Takes \(setting.acceptedInFull).\(restart)
                    #\(setting.key) =\(text.isEmpty ? "" : " ")\(text)

                    """
            }.joined()
        }
        return """
            # Settings of mediaprep serve, to lie at \(ServeConfiguration.standardFile).
            #
            # Every key is here with its default. mediaprep check-config prints the settings that are in force, or all that
            # is wrong with them; systemctl reload mediaprep takes up changes.

            [mediaprep]

            """ + lines(SettingTable.service) { $0.standard } + """

                # What is asked of every picture, and what the receiver takes. mediaprep profiles prints the profiles that are
                # there in any case; a group named like one of them changes it, others start from their base, and the key
                # profile above chooses one.
                [profile ios]

                """ + lines(SettingTable.profile) { $0.standard }
    }

    /// The tables in the README's section "Settings of serve".
    static var tables: String {
        func rows<Subject>(_ settings: [Setting<Subject>], _ standard: (Setting<Subject>) -> String) -> String {
            settings.map { setting in
                let text = standard(setting)
                let key = "`\(setting.key)`" + (setting.needsRestart ? " (restart)" : "")
                let shown = text.isEmpty ? "" : "`\(text)`"
                return "| \(key) | \(shown) | \(setting.documentation) | \(setting.acceptedInFull) |\n"
            }.joined()
        }
        return "| key in `[mediaprep]` | default | meaning | takes |\n|---|---|---|---|\n"
            + rows(SettingTable.service) { $0.standard }
            + "\n| key in `[profile NAME]` | default | meaning | takes |\n|---|---|---|---|\n"
            + rows(SettingTable.profile) { $0.standard }
    }
}
