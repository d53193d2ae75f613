// swift-tools-version: 6.1

import PackageDescription

let package = Package(
  name: "Larder",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  products: [
    .library(name: "Decoding", targets: ["Decoding"]),
    .library(name: "FetchKit", targets: ["FetchKit"]),
    .library(name: "Persistence", targets: ["Persistence"]),
    .library(name: "PersistenceTesting", targets: ["PersistenceTesting"]),
  ],
  targets: [
    .target(name: "Decoding"),
    .target(name: "FetchKit", dependencies: ["Decoding"]),
    .target(name: "Persistence", dependencies: ["CSQLite"]),
    .target(name: "PersistenceTesting", dependencies: ["Persistence", "CFaults"]),
    .target(name: "CFaults", dependencies: ["CSQLite"]),
    .systemLibrary(
      name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite"])]),

    .testTarget(name: "DecodingTests", dependencies: ["Decoding"]),
    .testTarget(name: "FetchKitTests", dependencies: ["FetchKit"]),
    .testTarget(
      name: "PersistenceTests", dependencies: ["Persistence", "PersistenceTesting", "PersistenceTestWorker"],
      exclude: ["MustNotCompile"]),
    .executableTarget(
      name: "PersistenceTestWorker", dependencies: ["Persistence", "CFaults"], path: "Tests/PersistenceTestWorker"),
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
