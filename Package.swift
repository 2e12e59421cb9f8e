// swift-tools-version: 6.2
import PackageDescription

// One set of rules for every Swift target: the manifest is the architecture.
let swiftRules: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .treatAllWarnings(as: .error),
]

let package = Package(
    name: "mediaprep",
    // Of the library alone, which apps and their extensions decode manifests with; everything else is for Linux.
    platforms: [.macOS(.v13), .iOS(.v16)],
    products: [
        .executable(name: "mediaprep", targets: ["mediaprep"]),
        .executable(name: "mediaprep-worker", targets: ["mediaprep-worker"]),
        .executable(name: "mediaprep-clip-worker", targets: ["mediaprep-clip-worker"]),
        .library(name: "AttachmentRules", targets: ["AttachmentRules"]),
    ],
    targets: [
        // C libraries from Debian. Only the workers' side may depend on CVips, CExif, CAv and CSeccomp.
        .systemLibrary(name: "CGLib", pkgConfig: "glib-2.0", providers: [.apt(["libglib2.0-dev"])]),
        .systemLibrary(name: "CCrypto", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
        .systemLibrary(name: "CVips", pkgConfig: "vips", providers: [.apt(["libvips-dev"])]),
        .systemLibrary(name: "CExif", pkgConfig: "libexif", providers: [.apt(["libexif-dev"])]),
        // libavformat's own file names those that it needs but for the scaler's; pkg-config takes several names.
        .systemLibrary(
            name: "CAv", pkgConfig: "libavformat libavcodec libavutil libswscale",
            providers: [.apt(["libavformat-dev", "libavcodec-dev", "libavutil-dev", "libswscale-dev"])]),
        .systemLibrary(name: "CSystemd", pkgConfig: "libsystemd", providers: [.apt(["libsystemd-dev"])]),
        .systemLibrary(name: "CSeccomp", pkgConfig: "libseccomp", providers: [.apt(["libseccomp-dev"])]),
        .target(name: "CLinux", cSettings: [.treatAllWarnings(as: .error)]),
        .target(name: "CPipeline", cSettings: [.treatAllWarnings(as: .error)]),

        // Pure Swift: what the receiver takes, and what a file is.
        .target(name: "AttachmentRules", swiftSettings: swiftRules),
        .target(name: "MediaProbe", dependencies: ["AttachmentRules"], swiftSettings: swiftRules),

        // Both processes.
        .target(name: "Kernel", dependencies: ["CLinux"], swiftSettings: swiftRules),
        .target(name: "JobProtocol", dependencies: ["AttachmentRules", "MediaProbe"], swiftSettings: swiftRules),

        // The worker: everything that touches a decoder.
        .target(name: "Vips", dependencies: ["CVips", "CLinux"], swiftSettings: swiftRules),
        .target(
            name: "MediaPipeline",
            dependencies: ["AttachmentRules", "MediaProbe", "JobProtocol", "Vips", "Exif", "CPipeline"],
            swiftSettings: swiftRules),
        // Apart from the pipeline, so that what reads EXIF can be tried without a decoder.
        .target(name: "Exif", dependencies: ["CExif"], swiftSettings: swiftRules),
        .target(
            name: "Sandbox", dependencies: ["CLinux", "CSeccomp", "JobProtocol", "Kernel"], swiftSettings: swiftRules),
        .target(
            name: "WorkerProgram",
            dependencies: ["AttachmentRules", "JobProtocol", "Kernel", "MediaProbe", "Sandbox"],
            swiftSettings: swiftRules),
        .executableTarget(
            name: "mediaprep-worker", dependencies: ["MediaPipeline", "WorkerProgram"], swiftSettings: swiftRules),

        // Sound and film have a worker of their own, so that neither library can be reached through the other.
        .target(
            name: "Clips", dependencies: ["AttachmentRules", "CAv", "JobProtocol", "MediaProbe"],
            swiftSettings: swiftRules),
        .executableTarget(
            name: "mediaprep-clip-worker", dependencies: ["Clips", "WorkerProgram"], swiftSettings: swiftRules),

        // The supervisor: no image library is linked here.
        .target(name: "Hashing", dependencies: ["CCrypto"], swiftSettings: swiftRules),
        .target(name: "Spool", dependencies: ["Hashing", "Kernel"], swiftSettings: swiftRules),
        .target(
            name: "Configuration", dependencies: ["AttachmentRules", "Kernel", "CGLib"], swiftSettings: swiftRules),
        .target(
            name: "WorkerPool", dependencies: ["AttachmentRules", "JobProtocol", "Kernel"],
            swiftSettings: swiftRules),
        .target(
            name: "Service",
            dependencies: [
                "AttachmentRules", "Configuration", "CSystemd", "Hashing", "JobProtocol", "Kernel", "MediaProbe",
                "Spool",
                "WorkerPool",
            ],
            swiftSettings: swiftRules),
        .executableTarget(
            name: "mediaprep",
            dependencies: ["AttachmentRules", "Configuration", "Hashing", "Kernel", "Service", "WorkerPool", "CGLib"],
            swiftSettings: swiftRules),

        // Pictures made by our own code, for the sample and for the tests.
        .target(name: "Scenes", dependencies: ["Vips"], swiftSettings: swiftRules),
        .executableTarget(name: "mediaprep-sample", dependencies: ["Scenes"], swiftSettings: swiftRules),

        // Measures; neither is installed.
        .executableTarget(
            name: "mediaprep-bench",
            dependencies: [
                "AttachmentRules", "MediaProbe", "JobProtocol", "Kernel", "MediaPipeline", "Scenes", "WorkerPool",
            ],
            path: "Benchmarks/mediaprep-bench", swiftSettings: swiftRules),
        .executableTarget(
            name: "unconfined-worker", dependencies: ["MediaPipeline", "WorkerProgram"],
            path: "Benchmarks/unconfined-worker", swiftSettings: swiftRules),

        .testTarget(name: "AttachmentRulesTests", dependencies: ["AttachmentRules"], swiftSettings: swiftRules),
        .testTarget(
            name: "MediaProbeTests", dependencies: ["AttachmentRules", "MediaProbe", "Scenes", "Vips"],
            swiftSettings: swiftRules),
        .testTarget(name: "KernelTests", dependencies: ["Kernel"], swiftSettings: swiftRules),
        .testTarget(
            name: "MediaPipelineTests",
            dependencies: ["AttachmentRules", "CVips", "MediaProbe", "JobProtocol", "MediaPipeline", "Vips", "Scenes"],
            swiftSettings: swiftRules),
        .testTarget(
            name: "ExifTests", dependencies: ["AttachmentRules", "Exif", "MediaProbe", "Scenes"],
            swiftSettings: swiftRules),
        // Films made by libavformat, for tests.
        .target(name: "ClipFixtures", dependencies: ["CAv"], path: "Tests/ClipFixtures", swiftSettings: swiftRules),
        .testTarget(
            name: "ClipsTests",
            dependencies: [
                "AttachmentRules", "ClipFixtures", "Clips", "JobProtocol", "MediaProbe", "Scenes", "Vips",
            ],
            swiftSettings: swiftRules),
        // A worker that was taken over, and what it then tries.
        .target(
            name: "CCaptive", path: "Tests/Captive/Actions", publicHeadersPath: "include",
            cSettings: [.treatAllWarnings(as: .error)]),
        .executableTarget(
            name: "captive", dependencies: ["CCaptive", "JobProtocol", "Kernel", "Sandbox"],
            path: "Tests/Captive/Program", swiftSettings: swiftRules),
        .testTarget(
            name: "SandboxTests", dependencies: ["CCaptive", "JobProtocol", "Kernel", "Sandbox", "captive"],
            swiftSettings: swiftRules),
        // Runs a command on a system that lacks some calls.
        .executableTarget(
            name: "denying", dependencies: ["CSeccomp", "Kernel"], path: "Tests/Denying", swiftSettings: swiftRules),
        // A worker that misbehaves on request.
        .executableTarget(
            name: "fake-worker", dependencies: ["AttachmentRules", "MediaProbe", "JobProtocol", "Kernel"],
            path: "Tests/FakeWorker", swiftSettings: swiftRules),
        // Workers that make pictures, but for those of certain widths.
        .target(name: "Misbehaviour", path: "Tests/Misbehaviour", swiftSettings: swiftRules),
        .executableTarget(
            name: "hooked-worker",
            dependencies: ["JobProtocol", "MediaPipeline", "MediaProbe", "Misbehaviour", "WorkerProgram"],
            path: "Tests/HookedWorker", swiftSettings: swiftRules),
        .executableTarget(
            name: "lying-worker",
            dependencies: [
                "AttachmentRules", "JobProtocol", "Kernel", "MediaPipeline", "MediaProbe", "Misbehaviour",
                "Scenes", "WorkerProgram",
            ],
            path: "Tests/LyingWorker", swiftSettings: swiftRules),
        // Hands files that no probe lets through to workers.
        .executableTarget(
            name: "containment",
            dependencies: ["AttachmentRules", "JobProtocol", "Kernel", "MediaProbe", "WorkerPool", "mediaprep-worker"],
            path: "Tests/Containment", swiftSettings: swiftRules),
        .testTarget(
            name: "WorkerPoolTests",
            dependencies: [
                "AttachmentRules", "MediaProbe", "Misbehaviour", "JobProtocol", "Kernel", "WorkerPool", "fake-worker",
                "hooked-worker", "mediaprep-clip-worker", "mediaprep-worker", "MediaPipeline", "Scenes", "Vips",
            ],
            swiftSettings: swiftRules),
        .testTarget(name: "SpoolTests", dependencies: ["Hashing", "Kernel", "Spool"], swiftSettings: swiftRules),
        .testTarget(
            name: "ConfigurationTests", dependencies: ["AttachmentRules", "Configuration", "Kernel"],
            swiftSettings: swiftRules),
        .testTarget(
            name: "ServiceTests",
            dependencies: [
                "AttachmentRules", "Configuration", "Hashing", "JobProtocol", "Kernel", "MediaProbe", "Scenes",
                "Service",
                "Spool", "WorkerPool",
            ],
            swiftSettings: swiftRules),
        .testTarget(
            name: "EndToEndTests",
            dependencies: [
                "AttachmentRules", "ClipFixtures", "Hashing", "Kernel", "Misbehaviour", "Service", "Scenes", "Vips",
                "containment", "denying", "hooked-worker", "lying-worker", "mediaprep", "mediaprep-clip-worker",
                "mediaprep-worker",
            ],
            swiftSettings: swiftRules),
    ]
)

// Programs of Tests/Fuzz/run, which asks for them: an ordinary build knows nothing of them.
if Context.environment["MEDIAPREP_FUZZ"] != nil {
    package.targets += [
        .executableTarget(
            name: "mediaprep-fuzz", dependencies: ["AttachmentRules", "MediaProbe", "JobProtocol", "Exif"],
            path: "Tests/Fuzz/Harness", swiftSettings: swiftRules),
        .executableTarget(
            name: "mediaprep-fuzz-seeds", dependencies: ["AttachmentRules", "JobProtocol", "Scenes"],
            path: "Tests/Fuzz/Seeds", swiftSettings: swiftRules),
    ]
}
