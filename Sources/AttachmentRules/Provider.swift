/// Whose SDK reads a payload, on the phone or on the way to it.
public enum Provider: String, Codable, Sendable, CaseIterable {
    /// Apple's own form, with keys for an extension of the app's own.
    case apns
    /// Firebase's HTTP v1 API.
    case fcm
    /// OneSignal's REST API.
    case onesignal
    /// What OneSignal delivers to the phone.
    case onesignalDevice = "onesignal-device"
    case airship, braze, iterable, clevertap, batch, leanplum, kumulos, klaviyo, customerio, pinpoint, salesforce
    /// Adobe Journey Optimizer.
    case adobe
    /// Expo's push API.
    case expo
    case homeassistant, notifee
    /// What a service worker hands to `showNotification`.
    case webpush
    /// A Windows toast, which is an XML document.
    case windows

    /// All of them, for messages.
    public static let names = allCases.map(\.rawValue).joined(separator: ", ")
}
