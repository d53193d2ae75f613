// swift-tools-version: 6.2

import PackageDescription

let exampleDependencies: [Target.Dependency] = [
  "Decoding", "ExampleReplicas", "ExampleSupport", "FetchKit", "Persistence",
]

// A privacy manifest concerns Apple's platforms only. The condition is about the system that builds: an app for those
// platforms that is built on Linux has to add the manifest itself.
#if os(Linux)
let withoutPrivacyManifest = ["PrivacyInfo.xcprivacy"]
let privacyManifest: [Resource] = []
#else
let withoutPrivacyManifest: [String] = []
let privacyManifest: [Resource] = [.copy("PrivacyInfo.xcprivacy")]
#endif

let package = Package(
  name: "Larder",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .visionOS(.v2)],
  products: [
    .library(name: "Decoding", targets: ["Decoding"]),
    .library(name: "FetchKit", targets: ["FetchKit"]),
    .library(name: "FetchKitTesting", targets: ["FetchKitTesting"]),
    .library(name: "Persistence", targets: ["Persistence"]),
    .library(name: "PersistenceTesting", targets: ["PersistenceTesting"]),
    .library(name: "PersistenceUI", targets: ["PersistenceUI"]),
    .library(name: "SyncKit", targets: ["SyncKit"]),
    .library(name: "SyncTesting", targets: ["SyncTesting"]),
  ],
  targets: [
    .target(name: "Decoding"),
    .target(
      name: "FetchKit",
      dependencies: ["CLarderZlib", "Decoding", .target(name: "CLarderCurl", condition: .when(platforms: [.linux]))],
      exclude: withoutPrivacyManifest, resources: privacyManifest),
    .target(name: "FetchKitTesting", dependencies: ["FetchKit"]),
    .target(
      name: "Persistence", dependencies: ["CLarderSQLite", "CLarderThreadSlot"],
      exclude: withoutPrivacyManifest, resources: privacyManifest),
    .target(name: "CLarderThreadSlot"),
    .target(name: "PersistenceUI", dependencies: ["Persistence"]),
    .target(name: "SyncKit", dependencies: ["FetchKit", "Persistence"]),
    .target(name: "SyncTesting", dependencies: ["Persistence", "SyncKit"]),
    .target(name: "PersistenceTesting", dependencies: ["Persistence", "CLarderFaults"]),
    .target(name: "CLarderFaults", dependencies: ["CLarderSQLite"]),
    // Without pkgConfig, which on a Mac with Homebrew would put that machine's SQLite into builds for other systems.
    .systemLibrary(name: "CLarderSQLite", providers: [.apt(["libsqlite3-dev"])]),
    .systemLibrary(name: "CLarderZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
    .systemLibrary(
      name: "CLarderCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"]), .brew(["curl"])]),

    .target(
      name: "ExampleReplicas", dependencies: ["FetchKit", "FetchKitTesting"], path: "Sources/Examples/ExampleReplicas"),
    .target(
      name: "ExampleSupport", dependencies: ["Decoding", "ExampleReplicas", "FetchKit", "Persistence"],
      path: "Sources/Examples/ExampleSupport"),
    .executableTarget(
      name: "ExampleServer", dependencies: ["ExampleReplicas", "ExampleSupport"],
      path: "Sources/Examples/ExampleServer"),
    .executableTarget(
      name: "MustC", dependencies: exampleDependencies, path: "Sources/Examples/MustC",
      resources: [.copy("FirstModel.store")]),
    .executableTarget(name: "Flickr", dependencies: exampleDependencies, path: "Sources/Examples/Flickr"),
    .executableTarget(name: "BookLab", dependencies: exampleDependencies, path: "Sources/Examples/BookLab"),

    .target(name: "LarderTestSupport", path: "Tests/LarderTestSupport"),
    .testTarget(
      name: "DocumentationTests",
      dependencies: [
        "Decoding", "DocumentationServer", "FetchKit", "FetchKitTesting", "Persistence", "PersistenceTesting",
        "SyncTesting", "LarderTestSupport",
      ],
      exclude: ["Given", "StandIns"]),
    .executableTarget(
      name: "DocumentationServer", dependencies: ["FetchKit", "FetchKitTesting"], path: "Tests/DocumentationServer"),
    .testTarget(name: "DecodingTests", dependencies: ["Decoding", "LarderTestSupport"]),
    .testTarget(
      name: "FetchKitTests",
      dependencies: ["FetchKit", "FetchKitTesting", "DownloadProbe", "StormProbe", "LarderTestSupport"],
      // Lets a test's getaddrinfo take the place of libc's in libcurl, so that a look-up can hang.
      linkerSettings: [
        .unsafeFlags(["-Xlinker", "--export-dynamic-symbol=getaddrinfo"], .when(platforms: [.linux]))
      ]),
    .executableTarget(name: "AutobahnClient", dependencies: ["FetchKit"], path: "Tests/AutobahnClient"),
    .executableTarget(name: "DownloadProbe", dependencies: ["FetchKit"], path: "Tests/DownloadProbe"),
    .executableTarget(
      name: "KintoJudge", dependencies: ["Decoding", "FetchKit", "Persistence", "SyncKit", "LarderTestSupport"],
      path: "Tests/KintoJudge"),
    .executableTarget(
      name: "StormProbe", dependencies: ["FetchKit", "FetchKitTesting", "LarderTestSupport"], path: "Tests/StormProbe"),
    .testTarget(
      name: "PersistenceTests",
      dependencies: [
        "CLarderFaults", "CLarderSQLite", "Persistence", "PersistenceTesting", "PersistenceTestWorker",
        "LarderTestSupport",
      ],
      exclude: ["MustNotCompile", "Migration/Stores"]),
    .testTarget(
      name: "SyncKitTests",
      dependencies: [
        "Decoding", "FetchKit", "FetchKitTesting", "Persistence", "PersistenceTesting", "SyncKit", "SyncTesting",
        "LarderTestSupport",
      ]),
    .testTarget(
      name: "PersistenceUITests", dependencies: ["Persistence", "PersistenceTesting", "PersistenceUI"]),
    .executableTarget(
      name: "PersistenceTestWorker", dependencies: ["Persistence", "CLarderFaults"], path: "Tests/PersistenceTestWorker"
    ),
    .testTarget(
      name: "ExampleTests",
      dependencies: [
        "BookLab", "ExampleReplicas", "ExampleServer", "ExampleSupport", "FetchKit", "FetchKitTesting", "Flickr",
        "MustC",
        "Persistence", "PersistenceTesting", "LarderTestSupport",
      ]),
  ],
  swiftLanguageModes: [.v6]
)

for target in package.targets where target.type != .system {
  target.swiftSettings = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
  ]
}
