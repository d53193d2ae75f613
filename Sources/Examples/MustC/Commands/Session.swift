import ExampleServer
import ExampleSupport
import Foundation

/// What every command needs: the store, a server to ask, and a console to tell.
struct Session: Sendable {
  let library: MovieLibrary
  let console: Console
  /// The replica in this process, where no other server was named; it lives as long as the session.
  private let replica: ExampleServer?

  init(_ arguments: Arguments) async throws {
    console = Console(json: arguments.has("json"))
    let service: MovieDB.Service
    if let text = arguments["base-url"] {
      guard let url = URL(string: text), ["http", "https"].contains(url.scheme?.lowercased()), url.host() != nil else {
        // Not shown: it may hold a password or a key.
        throw UsageError("--base-url takes an http or https URL")
      }
      replica = nil
      service = MovieDB.Service(baseURL: url, key: ProcessInfo.processInfo.environment["TMDB_API_KEY"] ?? "none")
    } else {
      let server = try ExampleServer()
      replica = server
      service = MovieDB.Service(baseURL: server.movieDatabaseURL, key: "example")
    }
    let store = try StoreLocation.url(named: "mustc", option: arguments["store"], console: console)
    library = try await MovieLibrary(store: store, service: service)
  }
}
