import Decoding
import FetchKit
import Foundation
import Persistence

// The models of a store: nothing to add.

final class Author: ManagedObject {
  @Attribute(.unique) var remoteID: Int64?
  @Attribute var name = ""
  @ToMany(inverse: \Book.author) var books: RelatedObjects<Book>
}

final class Book: ManagedObject, Identifiable {
  @Attribute(.unique) var remoteID: Int64?
  @Attribute(.indexed) var title = ""
  @Attribute var genre = Genre.novel
  @ToOne var author: Author?

  override class var indexes: [AttributeIndex] { [.on(\Book.title, \Book.genre)] }

  override func validate() throws {
    if title.isEmpty { throw MissingTitle() }
  }
}

// Values that leave the main actor: decoded in the background, stored in an attribute, thrown by a model.

enum Genre: String, AttributeValue {
  case novel, essay
}

nonisolated struct MissingTitle: Error {}

// What closures of background contexts use of a model's extension.

nonisolated extension Book {
  static let untitled = Query<Book> { $0.title == "" }
  var label: String { "\(title), \(genre.rawValue)" }
  func sign(as author: Author) { self.author = author }
}

enum NoAuthor: DefaultSource {
  static let value = "anonymous"
}

enum Day: FieldStrategySource {
  static let strategy = FieldStrategy<Date>.date(format: "yyyy-MM-dd")
}

/// Whatever conforms to a nonisolated protocol is not confined to the main actor either.
nonisolated protocol Answer: Decodable, Sendable {}

struct BookRow: Answer {
  let id: Int64
  let title: String
  @Default<NoAuthor> var author: String
  @CodedBy<Day, Date?> var published: Date?

  enum CodingKeys: String, CodingKey {
    case id, title, published
    case author = "author.name"
  }
}

enum Library: Endpoint {
  case books(page: Int)

  var baseURL: URL { URL(string: "http://replica.invalid")! }
  var path: String { "books" }
  var query: [URLQueryItem] {
    switch self {
    case .books(let page): [URLQueryItem(name: "page", value: "\(page)")]
    }
  }
}

struct Replica: Transport {
  func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
    let body = Data(#"{"books": [{"id": 7, "title": "Middlemarch", "author": {"name": "Eliot"}}]}"#.utf8)
    return TransportResponse(head: ResponseHead(status: 200), body: ResponseBody(body))
  }
}

struct Token: Interceptor {
  func adapt(_ request: HTTPRequest) async throws -> HTTPRequest {
    var request = request
    request.headers["Authorization"] = "Bearer token"
    return request
  }
}

final class Shelf {
  private let container: PersistentContainer
  private let client: FetchClient
  private(set) var titles: [String] = []

  init(_ container: PersistentContainer, _ client: FetchClient) {
    self.container = container
    self.client = client
  }

  func refresh() async throws {
    let rows = try await client.fetch(Library.books(page: 1), .elements(of: BookRow.self, at: "books"))
    try await container.newContext().persist { objects in
      for row in rows {
        let book = try objects.first(Book.self, where: { $0.remoteID == row.id }) ?? objects.insert(Book.self)
        book.remoteID = row.id
        book.title = row.title
        book.sign(as: try objects.first(Author.self, where: { $0.name == row.author }) ?? objects.insert(Author.self))
        if book.label.isEmpty { objects.delete(book) }
      }
    }
    show()
    _ = try await container.newContext().perform { try $0.count(Book.self, matching: Book.untitled) }
  }

  func refresh(then done: @escaping () -> Void) {
    client.fetch(Library.books(page: 2), .elements(of: BookRow.self, at: "books")) { @MainActor [weak self] result in
      self?.titles = (try? result.get().map(\.title)) ?? []
      done()
    }
  }

  /// Returns what a closure in the background has counted.
  func count(of genre: Genre) async throws -> Int {
    try await container.newContext().perform { objects in
      try objects.count(Book.self, where: { $0.genre == genre && $0.title != "" })
    }
  }

  func show() {
    titles = (try? container.viewContext.fetch(Book.self, sort: [.ascending(\.title)]).map(\.title)) ?? []
  }

  func rename(_ title: String) throws {
    let view = container.viewContext
    try view.first(Book.self)?.title = title
    try view.save()
    show()
  }
}

let container = try await PersistentContainer(at: .inMemory, schema: Schema(Author.self, Book.self))
let shelf = Shelf(
  container,
  FetchClient {
    $0.transport = Replica()
    $0.interceptors = [Token()]
  })
try await shelf.refresh()
try shelf.rename("Silas Marner")
let live = try await container.results(FetchDescriptor(Book.self, sort: [.ascending(\.title)]))
for await update in live.updates where update.snapshot.count == 1 { break }
print(shelf.titles, try await shelf.count(of: .novel))
await withCheckedContinuation { continuation in shelf.refresh { continuation.resume() } }
print(shelf.titles)
