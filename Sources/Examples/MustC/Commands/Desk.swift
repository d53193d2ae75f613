import ExampleSupport
import Foundation
import Persistence

/// The movies and the console for output, which every command needs.
struct Desk {
  let library: MovieLibrary
  let console: Console

  /// - Parameters:
  ///   - mustExist: Whether a store named on the command line has to exist.
  ///   - followsOthers: Whether the library reports changes by other processes.
  init(_ call: CommandCall, mustExist: Bool = true, followsOthers: Bool = false) async throws {
    console = call.console
    let store = try call.store(mustExist: mustExist)
    library = try await MovieLibrary(store: store, access: try call.connect(), followsOthers: followsOthers)
    if let migration = library.migration {
      console.note("The store was migrated from version \(migration.oldVersion) to version \(migration.newVersion).")
    }
  }
}
