import ExampleSupport
import Foundation

/// What most commands need: the library, a server to ask, and a console to tell.
struct Desk {
  let library: BookLibrary
  let access: ServiceAccess
  let console: Console
  let store: URL
  /// The library only knows it weakly.
  private let announcer: ChangeAnnouncer

  /// - Parameter mustExist: Whether a store that is named has to be there.
  init(_ call: CommandCall, mustExist: Bool) async throws {
    console = call.console
    store = try call.store(mustExist: mustExist)
    access = try call.connect()
    announcer = ChangeAnnouncer(console: console)
    library = try await BookLibrary(store: store, access: access, listener: announcer)
  }
}

/// Prints what happens to the library.
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
  /// Books as a list, numbered where that helps to choose one.
  init(_ books: [BookData], from number: Int? = nil) {
    self.init(
      books.enumerated().map { index, book in
        (number.map { ["\($0 + index)."] } ?? [])
          + [book.title, book.authors ?? "–", book.publicationDate.map { String($0.prefix(4)) } ?? "–", book.id]
      })
  }
}
