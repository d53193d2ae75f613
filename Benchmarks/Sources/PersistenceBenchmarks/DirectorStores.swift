import GRDBPeer
import Persistence
import PersistenceModel
import RawSQLite

/// Directors with their films in a store of ours, and in one that the peers share; filled at first use and kept.
final class DirectorStores {
  private let owners: Int
  private let members: Int
  private var workspace: Workspace?
  private var filledContainer: PersistentContainer?
  private var keptContext: ObjectContext?
  private var filledRaw: RawStore?
  private var filledGRDB: GRDBStore?

  init(owners: Int, members: Int) { (self.owners, self.members) = (owners, members) }

  private func home() throws -> Workspace {
    if let workspace { return workspace }
    let new = try Workspace()
    workspace = new
    return new
  }

  func container() async throws -> PersistentContainer {
    if let filledContainer { return filledContainer }
    let container = try await PersistentContainer(
      at: .file(home().url("ours.store")), schema: Schema(Director.self, Film.self))
    try await container.newContext().persist { [owners, members] objects in
      for owner in 0..<owners {
        let director = objects.insert(Director.self)
        director.name = "Director \(owner)"
        for place in 0..<members {
          let film = objects.insert(Film.self)
          film.title = "Film \(owner).\(place)"
          film.year = Int64(place)
          film.director = director
        }
      }
    }
    filledContainer = container
    return container
  }

  /// The context for all rounds, as the peers keep their connections.
  func context() async throws -> ObjectContext {
    if let keptContext { return keptContext }
    let context = try await container().newContext()
    keptContext = context
    return context
  }

  func grdb() throws -> GRDBStore {
    if let filledGRDB { return filledGRDB }
    let store = try GRDBStore(path: home().path("grdb.db"))
    try store.createDirectors(owners, films: members)
    filledGRDB = store
    return store
  }

  func raw() throws -> RawStore {
    if let filledRaw { return filledRaw }
    _ = try grdb()
    let store = try RawStore(path: home().path("grdb.db"))
    filledRaw = store
    return store
  }
}
