import Foundation
import Persistence

/// A store in a temporary folder, which is removed with this object.
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

/// The error that a failing closure throws.
struct Stop: Error, Equatable {}
