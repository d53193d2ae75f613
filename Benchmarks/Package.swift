// swift-tools-version: 6.1

import Foundation
import PackageDescription

// The ceiling for reading JSON: Debian's libyyjson-dev, where it is installed.
let hasYYJSON = ["/usr/include", "/usr/local/include"].contains {
  FileManager.default.fileExists(atPath: "\($0)/yyjson.h")
}

// Peers are measured here and nowhere else: the package beside this one depends on none of them.
let package = Package(
  name: "LarderBenchmarks",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "Larder", path: ".."),
    .package(url: "https://github.com/groue/GRDB.swift", exact: "7.10.0"),
    .package(url: "https://github.com/swift-server/async-http-client", exact: "1.37.0"),
    .package(url: "https://github.com/apple/swift-nio", exact: "2.101.2"),
  ],
  targets: [
    .target(name: "BenchmarkSupport"),
    // Counts allocations by standing in for malloc, in the programs that link it.
    .target(name: "AllocationCount"),
    .target(name: "HeapSize"),

    // A model in a module of its own, as an app would have it: what is inlined across modules is what is measured.
    .target(name: "PersistenceModel", dependencies: [.product(name: "Persistence", package: "Larder")]),
    .target(name: "RawSQLite", dependencies: [.product(name: "GRDBSQLite", package: "GRDB.swift")]),
    .target(name: "GRDBPeer", dependencies: [.product(name: "GRDB", package: "GRDB.swift")]),
    .executableTarget(
      name: "DecodingBenchmarks",
      dependencies: ["AllocationCount", "BenchmarkSupport", .product(name: "Decoding", package: "Larder")]
        + (hasYYJSON ? ["CYYJSON"] : [])),
    .executableTarget(
      name: "PersistenceBenchmarks",
      dependencies: [
        "BenchmarkSupport", "HeapSize", "PersistenceModel", "RawSQLite", "GRDBPeer",
        .product(name: "Persistence", package: "Larder"),
        .product(name: "PersistenceTesting", package: "Larder"),
      ]),

    // What a C program does with libcurl.
    .systemLibrary(
      name: "CLibcurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"]), .brew(["curl"])]),
    .target(name: "BareCurl", dependencies: ["CLibcurl"]),
    .executableTarget(
      name: "FetchBenchmarks",
      dependencies: [
        "BenchmarkSupport", "BareCurl", "AllocationCount", "HeapSize",
        .product(name: "FetchKit", package: "Larder"),
        .product(name: "FetchKitTesting", package: "Larder"),
        .product(name: "AsyncHTTPClient", package: "async-http-client"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
        .product(name: "NIOWebSocket", package: "swift-nio"),
      ]),
  ],
  swiftLanguageModes: [.v6]
)

if hasYYJSON {
  package.targets.append(.systemLibrary(name: "CYYJSON", pkgConfig: "yyjson", providers: [.apt(["libyyjson-dev"])]))
}
