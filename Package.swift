// swift-tools-version: 6.1

import PackageDescription

let exampleDependencies: [Target.Dependency] = [
  "Decoding", "ExampleReplicas", "ExampleSupport", "FetchKit", "Persistence",
]

let package = Package(
  name: "Larder",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  products: [
    .library(name: "Decoding", targets: ["Decoding"]),
    .library(name: "FetchKit", targets: ["FetchKit"]),
    .library(name: "FetchKitTesting", targets: ["FetchKitTesting"]),
    .library(name: "Persistence", targets: ["Persistence"]),
    .library(name: "PersistenceTesting", targets: ["PersistenceTesting"]),
  ],
  targets: [
    .target(name: "Decoding"),
    .target(
      name: "FetchKit", dependencies: ["Decoding", .target(name: "CCurl", condition: .when(platforms: [.linux]))]),
    .target(name: "FetchKitTesting", dependencies: ["FetchKit"]),
    .target(name: "Persistence", dependencies: ["CSQLite", "CThreadSlot"]),
    .target(name: "CThreadSlot"),
    .target(name: "PersistenceTesting", dependencies: ["Persistence", "CFaults"]),
    .target(name: "CFaults", dependencies: ["CSQLite"]),
    .systemLibrary(
      name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite"])]),
    .systemLibrary(
      name: "CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"]), .brew(["curl"])]),

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

    .target(name: "TestSupport", path: "Tests/TestSupport"),
    .testTarget(
      name: "DocumentationTests",
      dependencies: [
        "Decoding", "DocumentationServer", "FetchKit", "FetchKitTesting", "Persistence", "PersistenceTesting",
        "TestSupport",
      ],
      exclude: ["Given"]),
    .executableTarget(
      name: "DocumentationServer", dependencies: ["FetchKit", "FetchKitTesting"], path: "Tests/DocumentationServer"),
    .testTarget(name: "DecodingTests", dependencies: ["Decoding", "TestSupport"]),
    .testTarget(
      name: "FetchKitTests",
      dependencies: ["FetchKit", "FetchKitTesting", "DownloadProbe", "StormProbe", "TestSupport"],
      // Lets a test's getaddrinfo take the place of libc's in libcurl, so that a look-up can hang.
      linkerSettings: [
        .unsafeFlags(["-Xlinker", "--export-dynamic-symbol=getaddrinfo"], .when(platforms: [.linux]))
      ]),
    .executableTarget(name: "DownloadProbe", dependencies: ["FetchKit"], path: "Tests/DownloadProbe"),
    .executableTarget(
      name: "StormProbe", dependencies: ["FetchKit", "FetchKitTesting", "TestSupport"], path: "Tests/StormProbe"),
    .testTarget(
      name: "PersistenceTests",
      dependencies: [
        "CFaults", "CSQLite", "Persistence", "PersistenceTesting", "PersistenceTestWorker", "TestSupport",
      ],
      exclude: ["MustNotCompile", "Migration/Stores"]),
    .executableTarget(
      name: "PersistenceTestWorker", dependencies: ["Persistence", "CFaults"], path: "Tests/PersistenceTestWorker"),
    .testTarget(
      name: "ExampleTests",
      dependencies: [
        "BookLab", "ExampleReplicas", "ExampleServer", "ExampleSupport", "FetchKit", "FetchKitTesting", "Flickr",
        "MustC",
        "Persistence", "PersistenceTesting", "TestSupport",
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
