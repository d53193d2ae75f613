import ExampleSupport
import Foundation
import Persistence

/// What every command needs: the movies, and a console to tell.
struct Desk {
  let library: MovieLibrary
  let console: Console

  /// - Parameter mustExist: Whether a store that is named has to be there.
  init(_ call: CommandCall, mustExist: Bool = true) async throws {
    console = call.console
    let access = try call.connect()
    library = try await MovieLibrary(store: try call.store(mustExist: mustExist), access: access)
    if let migration = library.migration {
      console.note("The store was of version \(migration.oldVersion) and is of version \(migration.newVersion) now.")
    }
  }
}
