import ExampleSupport
import Foundation
import Persistence

/// The books that the user keeps, without duplicates.
struct BookLibrary: Sendable {
  /// The listeners that receive every change. Listeners are held weakly.
  let listeners = MulticastDelegate<any BookListener> { $0 }
  private let context: ObjectContext
  private let access: ServiceAccess

  /// - Throws: `PersistenceError` if the store cannot be opened.
  init(store: URL, access: ServiceAccess) async throws {
    context = try await PersistentContainer(at: .file(store), schema: Schema(Book.self)).newContext()
    self.access = access
  }

  /// Returns all books by title.
  func books() async throws -> [BookData] {
    try await context.perform { [access] objects in
      try objects.fetch(Book.self, sort: \.sortKey).map { BookData($0, access) }
    }
  }

  /// Returns the book with this volume id or ISBN.
  func book(_ name: String) async throws -> BookData {
    try await context.perform { [access] in BookData(try Self.find(name, in: $0), access) }
  }

  /// Stores books, all or none. An existing book with the same volume id or ISBN is updated.
  func add(_ books: [BookData]) async throws {
    let changes = try await context.persist { [access] objects in
      try books.compactMap { data -> (BookData, BookChange)? in
        if let book = try Self.find(data, in: objects) {
          return book.update(from: data) ? (BookData(book, access), .updated) : nil
        }
        let book = objects.insert(Book.self)
        book.volumeID = data.id
        _ = book.update(from: data)
        return (BookData(book, access), .added)
      }
    }
    for (book, change) in changes { listeners.invoke { $0.book(book, was: change) } }
  }

  func remove(_ name: String) async throws -> BookData {
    let removed = try await context.persist { [access] objects in
      let book = try Self.find(name, in: objects)
      let data = BookData(book, access)
      objects.delete(book)
      return data
    }
    listeners.invoke { $0.book(removed, was: .removed) }
    return removed
  }

  /// Finds the book for a volume by its id or its ISBN.
  ///
  /// - Throws: A `Failure` if the id and the ISBN match two different books. The user has to decide which one to keep.
  private static func find(_ data: BookData, in objects: ObjectSpace) throws -> Book? {
    let byID = try objects.first(Book.self, where: { $0.volumeID == data.id })
    guard let isbn = data.isbn13, let byISBN = try objects.first(Book.self, where: { $0.isbn13 == isbn }) else {
      return byID
    }
    guard let byID, byID.id != byISBN.id else { return byISBN }
    throw Failure(
      "“\(data.title)” (\(data.id)) has the ISBN \(isbn), which “\(byISBN.title)” (\(byISBN.volumeID)) already has; "
        + "remove one of the two")
  }

  private static func find(_ name: String, in objects: ObjectSpace) throws -> Book {
    let digits = name.filter { $0 != "-" }
    guard let book = try objects.first(Book.self, where: { $0.volumeID == name || $0.isbn13 == digits }) else {
      throw Failure("there is no book “\(name)”; run list to see all books")
    }
    return book
  }
}
