import Foundation
import Persistence
import SyncKit
import SyncTesting
import Testing

final class Shelf: ManagedObject {
  @Attribute(.unique) var code: String?
  @Attribute var name = ""
  @ToMany(inverse: \Book.shelf) var books: RelatedObjects<Book>
}

final class Book: ManagedObject {
  @Attribute(.unique) var identifier: UUID?
  @Attribute var title = ""
  @ToOne var shelf: Shelf?
  @ToMany(inverse: \Genre.books) var genres: RelatedObjects<Genre>
}

final class Genre: ManagedObject {
  @Attribute(.unique) var number: Int64?
  @Attribute var name = ""
  @ToMany var books: RelatedObjects<Book>
}

final class Stranger: ManagedObject {
  @Attribute(.unique) var number: Int64?
}

/// A device of an app that has shelves, books and genres.
struct Library {
  let container: PersistentContainer
  let context: ObjectContext
  let engine: SyncEngine

  static func with(
    _ capabilities: RemoteCapabilities = RemoteCapabilities(), created: CreationSettling = .idempotencyKey,
    listing: MemoryAPI.Listing = .whole, answersWithObjects: Bool = true, devices: Int = 1,
    _ body: (MemoryAPI, [Library]) async throws -> Void
  ) async throws {
    let classes = [
      SyncedClass(Shelf.self, key: \.code, created: created),
      // The app makes no numbers.
      SyncedClass(Genre.self, key: \.number, created: created == .clientKey ? .idempotencyKey : created),
      SyncedClass(Book.self, key: \.identifier, created: created, lists: [\.genres]),
    ]
    let schema = Schema(Shelf.self, Book.self, Genre.self).synchronizing(classes)
    let api = try MemoryAPI(
      schema, classes, capabilities: capabilities, listing: listing, answersWithObjects: answersWithObjects)
    var libraries: [Library] = []
    for _ in 0..<devices { libraries.append(try await Library(schema, api)) }
    do { try await body(api, libraries) } catch { Testing.Issue.record(error) }
    for library in libraries {
      await library.engine.stop()
      await library.container.close()
    }
  }

  init(_ schema: Schema, _ api: MemoryAPI) async throws {
    container = try await PersistentContainer(at: .inMemory, schema: schema)
    context = container.newContext()
    engine = try SyncEngine(container, with: api, pause: MemoryAPI.noLaterAttempts)
    try await engine.start()
  }

  @discardableResult func synchronize() async throws -> SyncStatus { try await engine.synchronize() }

  /// Synchronizes without the delays that failures have caused.
  func restart() async throws -> SyncStatus {
    await engine.stop()
    try await engine.start()
    return try await engine.synchronize()
  }

  func insert(_ title: String) async throws { try await context.persist { $0.insert(Book.self).title = title } }

  /// What the books are called, where they are, and of which genres they are.
  func books() async throws -> [String] {
    try await context.perform { objects in
      try objects.fetch(Book.self).map { book in
        "\(book.title) on \(book.shelf?.name ?? "-") of \(book.genres.map(\.name).joined(separator: ","))"
      }.sorted()
    }
  }
}
