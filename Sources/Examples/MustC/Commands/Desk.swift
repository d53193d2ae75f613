import ExampleSupport
import Foundation
import Persistence

/// What every command needs: the movies, and a console to tell.
struct Desk {
  let library: MovieLibrary
  let console: Console

  /// - Parameters:
  ///   - mustExist: Whether a store that is named has to be there.
  ///   - followsOthers: Whether the library tells what other processes change.
  init(_ call: CommandCall, mustExist: Bool = true, followsOthers: Bool = false) async throws {
    console = call.console
    let store = try call.store(mustExist: mustExist)
    library = try await MovieLibrary(store: store, access: try call.connect(), followsOthers: followsOthers)
    if let migration = library.migration {
      console.note("The store was of version \(migration.oldVersion) and is of version \(migration.newVersion) now.")
    }
  }
}
