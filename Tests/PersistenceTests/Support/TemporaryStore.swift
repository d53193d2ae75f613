import Foundation
import Persistence

/// A folder of its own for a store, removed with it.
final class TemporaryStore: Sendable {
  let folder: URL

  init() throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "persistence-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  var file: URL { folder.appending(path: "store.db") }

  func open(
    _ types: ManagedObject.Type..., configure: @Sendable (inout StoreConfiguration) -> Void = { _ in }
  ) async throws -> PersistentContainer {
    try await PersistentContainer(at: .file(file), schema: Schema(types), configure: configure)
  }
}

/// What a failing body throws.
struct Stop: Error, Equatable {}
