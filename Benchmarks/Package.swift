// swift-tools-version: 6.1

import PackageDescription

// Peers are measured here and nowhere else: the package beside this one depends on none of them.
let package = Package(
  name: "LarderBenchmarks",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(url: "https://github.com/groue/GRDB.swift", exact: "7.10.0")
  ],
  targets: [
    .target(name: "BenchmarkSupport"),

    .target(name: "RawSQLite", dependencies: [.product(name: "GRDBSQLite", package: "GRDB.swift")]),
    .target(name: "GRDBPeer", dependencies: [.product(name: "GRDB", package: "GRDB.swift")]),
  ],
  swiftLanguageModes: [.v6]
)
