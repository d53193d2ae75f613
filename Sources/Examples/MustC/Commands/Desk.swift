import ExampleSupport
import Foundation

/// What every command needs: the movies, and a console to tell.
struct Desk {
  let library: MovieLibrary
  let console: Console

  /// - Parameter mustExist: Whether a store that is named has to be there.
  init(_ call: CommandCall, mustExist: Bool = true) async throws {
    console = call.console
    let store = try call.store(mustExist: mustExist)
    library = try await MovieLibrary(store: store, access: try call.connect())
  }
}
