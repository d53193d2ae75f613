import Foundation
import Persistence
import Testing

/// Store files that earlier versions of this library have made, one for each version of the classes in
/// `ReleasedModels.swift`.
///
/// They are made by the last test here, run with `LARDER_MAKE_STORES=1`, and stay as they are from then on: a new one
/// comes with a new version of the classes or of the file format. `Stores/` has them.
@Suite struct ReleasedStoreTests {
  private static let films = 8
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Stores")
  let store: TemporaryStore

  init() throws { store = try TemporaryStore() }

  @Test(arguments: [(1, ""), (2, "none"), (3, "none")])
  func `a released store is migrated to today's classes`(_ version: Int, _ emptyRemark: String) async throws {
    try FileManager.default.copyItem(at: Self.folder.appending(path: "v\(version).db"), to: store.file)
    let forecast = try await PersistentContainer.forecastMigration(at: store.file, schema: V3.schema)
    #expect(forecast.storeVersion == version && forecast.isNeeded == (version < 3))
    #expect(try await ReleasedContents.thirdIsWhole(store.file, films: Self.films, emptyRemark: emptyRemark))
  }

  @Test(.enabled(if: ProcessInfo.processInfo.environment["LARDER_MAKE_STORES"] != nil, "makes the files anew"))
  func `make the files`() async throws {
    try FileManager.default.createDirectory(at: Self.folder, withIntermediateDirectories: true)
    let fillers = [ReleasedContents.fillFirst, ReleasedContents.fillSecond, ReleasedContents.fillThird]
    for (fill, schema) in zip(fillers, [V1.schema, V2.schema, V3.schema]) {
      let scratch = store.folder.appending(path: "v\(schema.version).db")
      try await fill(scratch, Self.films)
      try await PersistentContainer(at: .file(scratch), schema: schema)
        .backup(to: Self.folder.appending(path: "v\(schema.version).db"))
    }
  }
}
