extension Profile {
    /// The profiles that are there in any case, in the order in which they are told.
    public static let builtIn = [ios, iosSquare, fcmAndroid, clevertapAndroid, airship, web, windowsToast]

    /// The built-in profile of that name; nil for another name.
    public static func named(_ name: String) -> Profile? {
        builtIn.first { $0.name == name }
    }

    /// iPhones: Apple's table, and what iOS 26.1 takes beyond it.
    ///
    /// 1200x600 under 100 KB meets every published value but CleverTap's; 1320 px is the widest iPhone (16 Pro Max),
    /// 300 px OneSignal's minimum, 1:1 to 2:1 what OneSignal, Braze and Airship recommend.
    public static let ios: Profile = {
        var profile = Profile(
            "ios", "iPhones: Apple's limits, small enough for a service extension",
            accepts: Set(MediaType.allCases.filter { $0.support != .none }))
        profile.targetBytes = 100_000
        profile.leastWidth = 300
        profile.longestEdge = 1320
        profile.ratio = RatioRange("1:1-2:1")
        profile.animation = [.gif]
        profile.oldestSystem = 13
        profile.longestSeconds = 30
        // The first frame is shown.
        profile.judgements = [.animationNotShown: .warning]
        return profile
    }()

    /// OneSignal's and Braze's square: 346 points of a screen with three pixels a point.
    public static let iosSquare: Profile = {
        var profile = ios
        profile.name = "ios-square"
        profile.base = profile.name
        profile.summary = "iPhones, square pictures over the whole width"
        profile.recipe.shortEdge = 1038
        profile.accepts = [.jpeg]
        profile.ratio = RatioRange("1:1")
        profile.animation = []
        profile.longestSeconds = nil
        return profile
    }()

    /// Firebase's page for Android's images: 1 MB, JPEG and PNG on every device, no animation; the platform shrinks
    /// pictures to 416 dp (1664 px) of width (AOSP dimens.xml).
    public static let fcmAndroid: Profile = {
        var profile = still("fcm-android", "Android through Firebase: JPEG or PNG of at most 1 MB")
        profile.limitBytes = 1_000_000
        profile.targetBytes = 100_000
        profile.leastWidth = 300
        profile.longestEdge = 1664
        return profile
    }()

    /// CleverTap's image specifications: 2:1, at most 40 KB.
    public static let clevertapAndroid: Profile = {
        var profile = still("clevertap-android", "Android through CleverTap: JPEG or PNG of at most 40 KB")
        profile.recipe.shortEdge = 512
        profile.recipe.maxBytes = 40_000
        profile.limitBytes = 40_000
        profile.targetBytes = 40_000
        profile.leastWidth = 300
        profile.longestEdge = 1664
        return profile
    }()

    /// Airship's reference: less than 200 KB recommended, uploads of at most 2 MB; its extension knows the types that
    /// Apple documents.
    public static let airship: Profile = {
        var profile = ios
        profile.name = "airship"
        profile.base = profile.name
        profile.summary = "iOS and Android through Airship: at most 2 MB, 200 KB recommended"
        profile.accepts = Set(MediaType.allCases.filter { $0.support == .documented })
        profile.limitBytes = 2_000_000
        profile.targetBytes = 200_000
        return profile
    }()

    /// Web notifications: 450 dp of three pixels at 4:3 (gauntface's web push book). No limit of bytes is published;
    /// 200,000 for more than twice the pixels of a phone's picture is our choice.
    public static let web: Profile = {
        var profile = still("web", "Browsers: 1350 pixels wide at 4:3")
        profile.recipe.shortEdge = 1013
        profile.recipe.maxBytes = 200_000
        profile.targetBytes = 200_000
        profile.leastWidth = 1350
        profile.ratio = RatioRange("4:3-2:1")
        return profile
    }()

    /// Microsoft's page on adaptive toasts: 3 MB, 1 MB where traffic is metered, 200 KB before build 16299; the hero
    /// picture has 364x180 points.
    public static let windowsToast: Profile = {
        var profile = still("windows-toast", "Windows toasts: a hero picture of 728x360, at most 1 MB")
        profile.recipe.shortEdge = 360
        profile.limitBytes = 1_000_000
        profile.targetBytes = 200_000
        profile.leastWidth = 364
        return profile
    }()

    /// A receiver of still pictures of about 2:1; how far from that is still about it, is our judgement.
    private static func still(_ name: String, _ summary: String) -> Profile {
        var profile = Profile(name, summary, accepts: [.jpeg, .png, .apng])
        profile.ratio = RatioRange("7:4-9:4")
        return profile
    }
}
