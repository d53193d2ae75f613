import Foundation
import Persistence
import Testing

/// Store files that earlier versions of this library have written, one for each version of the classes in
/// `ReleasedModels.swift`.
///
/// They are in `Stores/`. The last test here writes them, run with `LARDER_MAKE_STORES=1`; after that they do not
/// change. A new version of the classes or of the file format adds a new file.
@Suite struct ReleasedStoreTests {
  private static let films = 8
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Stores")
  let store: TemporaryStore

  init() throws { store = try TemporaryStore() }

  @Test(arguments: [(1, ""), (2, "none"), (3, "none")])
  func `a store of any release is migrated to the current classes`(_ version: Int, _ emptyRemark: String) async throws {
    try FileManager.default.copyItem(at: Self.folder.appending(path: "v\(version).db"), to: store.file)
    let preview = try await PersistentContainer.previewMigration(at: store.file, schema: V3.schema)
    #expect(preview.storeVersion == version && preview.isNeeded == (version < 3))
    #expect(try await ReleasedContents.thirdIsWhole(store.file, films: Self.films, emptyRemark: emptyRemark))
  }

  @Test(.enabled(if: ProcessInfo.processInfo.environment["LARDER_MAKE_STORES"] != nil, "writes the files again"))
  func `write the released store files`() async throws {
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
