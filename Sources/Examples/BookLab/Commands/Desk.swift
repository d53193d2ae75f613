import ExampleSupport
import Foundation
import Persistence

/// The library, the access to a server, and the console, which most commands need.
struct Desk {
  let library: BookLibrary
  let access: ServiceAccess
  let console: Console
  let store: URL
  private let announcer: ChangeAnnouncer

  /// - Parameter mustExist: Whether a store named on the command line has to exist.
  init(_ call: CommandCall, mustExist: Bool) async throws {
    console = call.console
    store = try call.store(mustExist: mustExist)
    access = try call.connect()
    announcer = ChangeAnnouncer(console: console)
    library = try await BookLibrary(store: store, access: access)
    library.listeners.add(announcer)
  }

  /// Changes the library and prints what changed. The announcer has to stay alive, because the library holds it weakly.
  func change<Result>(_ body: (BookLibrary) async throws -> Result) async rethrows -> Result {
    defer { withExtendedLifetime(announcer) {} }
    return try await body(library)
  }
}

/// Prints the changes of the library.
final class ChangeAnnouncer: BookListener {
  private let console: Console

  init(console: Console) {
    self.console = console
  }

  func book(_ book: BookData, was change: BookChange) {
    console.say("\(change.rawValue.capitalized): \(book.title) (\(book.id))")
  }
}

extension TextTable {
  /// Creates a table of books, numbered if a number is given.
  init(_ books: [BookData], from number: Int? = nil) {
    self.init(
      (number == nil ? [] : [.whole("#")]) + ["Title", "Authors", .whole("Year"), .whole("Id")],
      books.enumerated().map { index, book in
        (number.map { ["\($0 + index)."] } ?? [])
          + [book.title, book.authors ?? "–", book.publicationDate.map { String($0.prefix(4)) } ?? "–", book.id]
      })
  }
}
