// swift-tools-version: 6.2

import PackageDescription

// Larder as another package sees it: each product by itself, all together, beside names of Apple's frameworks, and from
// targets in Swift 5 mode.
func larder(_ products: String...) -> [Target.Dependency] {
  products.map { .product(name: $0, package: "larder") }
}

let package = Package(
  name: "Consumer",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "larder", path: "../..")],
  targets: [
    .executableTarget(name: "OnlyDecoding", dependencies: larder("Decoding")),
    .executableTarget(name: "OnlyFetchKit", dependencies: larder("FetchKit")),
    .executableTarget(name: "OnlyPersistence", dependencies: larder("Persistence")),
    .executableTarget(name: "Together", dependencies: larder("Decoding", "FetchKit", "Persistence")),
    .executableTarget(
      name: "TogetherInSwift5", dependencies: larder("Decoding", "FetchKit", "Persistence"),
      swiftSettings: [.swiftLanguageMode(.v5)]),
    .target(name: "StandIns"),
    .executableTarget(name: "InAnApp", dependencies: ["StandIns"] + larder("Decoding", "FetchKit", "Persistence")),
    .executableTarget(
      name: "InAnAppInSwift5", dependencies: ["StandIns"] + larder("Decoding", "FetchKit", "Persistence"),
      swiftSettings: [.swiftLanguageMode(.v5)]),
    // The settings of a new Xcode project.
    .executableTarget(
      name: "OnTheMainActor", dependencies: larder("Decoding", "FetchKit", "Persistence"),
      swiftSettings: [
        .defaultIsolation(MainActor.self), .enableUpcomingFeature("InferIsolatedConformances"),
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"), .enableUpcomingFeature("MemberImportVisibility"),
      ]),
    .executableTarget(
      name: "OnTheMainActorInSwift5", dependencies: larder("Decoding", "FetchKit", "Persistence"),
      swiftSettings: [
        .swiftLanguageMode(.v5), .defaultIsolation(MainActor.self), .enableUpcomingFeature("InferIsolatedConformances"),
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"), .enableUpcomingFeature("MemberImportVisibility"),
      ]),
    .executableTarget(
      name: "Synchronizing", dependencies: larder("Persistence", "SyncKit"),
      swiftSettings: [
        .defaultIsolation(MainActor.self), .enableUpcomingFeature("InferIsolatedConformances"),
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"), .enableUpcomingFeature("MemberImportVisibility"),
      ]),
    .executableTarget(
      name: "SynchronizingInSwift5", dependencies: larder("Persistence", "SyncKit"),
      swiftSettings: [.swiftLanguageMode(.v5)]),
    .executableTarget(
      name: "ForTests",
      dependencies: larder(
        "FetchKit", "FetchKitTesting", "Persistence", "PersistenceTesting", "SyncKit", "SyncTesting")),
  ],
  swiftLanguageModes: [.v6]
)
