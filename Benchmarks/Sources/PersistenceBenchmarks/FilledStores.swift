import Foundation
import GRDBPeer
import Persistence
import PersistenceModel
import RawSQLite

/// A store of each contender with all the rows, filled at first use and kept for all rounds; and copies of them, for
/// work that leaves them changed.
final class FilledStores<Object: SampleMovie> {
  private let isUnique: Bool
  private let home = KeptWorkspace()
  private var filledContainer: PersistentContainer?
  private var filledRaw: RawStore?
  private var filledGRDB: GRDBStore?

  init(_ type: Object.Type, isUnique: Bool = false) { self.isUnique = isUnique }

  func container() async throws -> PersistentContainer {
    if let filledContainer { return filledContainer }
    let container = try await PersistentContainer(
      at: .file(home.workspace().url("ours.store")), schema: Schema(Object.self))
    try await container.newContext().persist { objects in
      for index in 0..<SampleMovies.count { SampleMovies.insert(index, as: Object.self, into: objects) }
    }
    filledContainer = container
    return container
  }

  func raw() throws -> RawStore {
    if let filledRaw { return filledRaw }
    let store = try RawStore(path: home.workspace().path("raw.db"))
    try store.createMovies()
    try store.insert(SampleMovies.count, SampleMovies.raw)
    if isUnique { try store.indexRemoteIDs() }
    filledRaw = store
    return store
  }

  func grdb() throws -> GRDBStore {
    if let filledGRDB { return filledGRDB }
    let store = try GRDBStore(path: home.workspace().path("grdb.db"))
    try store.createMovies()
    try store.insert(SampleMovies.handWritten, count: SampleMovies.count)
    if isUnique { try store.indexRemoteIDs() }
    filledGRDB = store
    return store
  }

  /// A copy of the file, after whoever wrote it has closed it.
  func copyOfContainer(
    to workspace: Workspace, configure: @Sendable (inout StoreConfiguration) -> Void = { _ in }
  ) async throws -> PersistentContainer {
    if let filledContainer {
      await filledContainer.close()
    } else {
      try await container().close()
    }
    try FileManager.default.copyItem(at: home.workspace().url("ours.store"), to: workspace.url("ours.store"))
    return try await PersistentContainer(
      at: .file(workspace.url("ours.store")), schema: Schema(Object.self), configure: configure)
  }

  func copyOfRaw(to workspace: Workspace) throws -> RawStore {
    try raw().close()
    try FileManager.default.copyItem(at: home.workspace().url("raw.db"), to: workspace.url("raw.db"))
    return try RawStore(path: workspace.path("raw.db"))
  }

  func copyOfGRDB(to workspace: Workspace) throws -> GRDBStore {
    try grdb().close()
    try FileManager.default.copyItem(at: home.workspace().url("grdb.db"), to: workspace.url("grdb.db"))
    return try GRDBStore(path: workspace.path("grdb.db"))
  }
}
