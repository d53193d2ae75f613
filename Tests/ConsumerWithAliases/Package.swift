// swift-tools-version: 6.2

import PackageDescription

// An app that has a module called Persistence already takes ours by another name.
let package = Package(
  name: "ConsumerWithAliases",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "larder", path: "../..")],
  targets: [
    .target(name: "Persistence"),
    .executableTarget(
      name: "App",
      dependencies: [
        "Persistence",
        .product(name: "Persistence", package: "larder", moduleAliases: ["Persistence": "LarderPersistence"]),
      ]),
  ]
)
