import ExampleReplicas
import ExampleSupport
import FetchKit
import Foundation
import Persistence

extension BookLab {
  static let demo = Command(
    "demo", "", "Runs the complete demo in a temporary folder",
    json:
      #"[{"id","title","authors","publisher","publicationDate","isbn13","imageURL","description"}]: the final books"#,
    standsAlone: true
  ) { call in
    try await Story.tell("Find books, keep them, and get notified of every change.", call.console) { story in
      try await BookStory(story: story).tell()
    }
  }
}

/// The steps of the demo. Each one is checked.
private struct BookStory {
  let story: Story

  func tell() async throws {
    let server = try ExampleServer(numbers: .seeded(1))
    let access = ServiceAccess(BookLab.service, replica: server)
    let store = story.folder.appending(path: "booklab.store")
    let ledger = Ledger()
    let library = try await BookLibrary(store: store, access: access)
    library.listeners.add(ledger)

    let found = try await search(access, server)
    try await keep(found, in: library, ledger)
    try await fetchCovers(library, store, access)
    try await searchWithAFailingServer()
    try story.console.result(try await library.books())
  }

  private func search(_ access: ServiceAccess, _ server: ExampleServer) async throws -> [BookData] {
    story.step("A search returns pages without duplicates, and a malformed volume does not make its page fail")
    let results = await BookSearch(access: access).results(for: "the") { books, before in
      story.say("books \(before + 1) to \(before + books.count), from “\(books.first?.title ?? "")”")
    }
    for dropped in results.dropped { story.say("skipped: \(dropped.path): \(dropped.reason)") }
    try story.check(results.error == nil, "the search failed")
    try story.check(results.requests > 1 && results.requests == server.requestCount, "not all pages were requested")
    try story.check(Set(results.books.map(\.identity)).count == results.books.count, "a book appears twice")
    try story.check(!results.dropped.isEmpty, "there was no malformed volume")
    return results.books
  }

  private func keep(_ found: [BookData], in library: BookLibrary, _ ledger: Ledger) async throws {
    story.step("Four books are added, one of them twice, and one is removed; the listener is notified of every change")
    let wanted = Array(found.prefix(4))
    try await library.add(wanted)
    try await library.add([wanted[0]])
    _ = try await library.remove(wanted[3].id)
    for line in ledger.lines { story.say(line) }
    let kept = try await library.books()
    story.say(TextTable(kept))
    try story.check(kept.map(\.id).sorted() == wanted.prefix(3).map(\.id).sorted(), "the wrong books are stored")
    try story.check(ledger.lines.count == 5, "the listener received \(ledger.lines.count) changes instead of 5")
    try story.check(kept.map(\.title) == kept.map(\.title).sorted(), "the books are not sorted by title")
  }

  private func fetchCovers(_ library: BookLibrary, _ store: URL, _ access: ServiceAccess) async throws {
    story.step("Their covers are downloaded")
    let books = try await library.books()
    let shelf = try CoverShelf(store: store, access: access)
    let failures = try await shelf.fill(with: books) { done, count, bytes in
      story.say("\(done) of \(count), \(ProgressLine.bytes(Double(bytes)))")
    }
    let withCover = books.filter { $0.imageURL != nil }
    try story.check(failures.isEmpty && withCover.allSatisfy(shelf.hasCover), "a cover is missing")
  }

  private func searchWithAFailingServer() async throws {
    story.step("The server fails after two pages: the books found so far are returned, and the error is reported")
    var faults = InjectedFaults()
    faults.failAfter = 2
    let server = try ExampleServer(numbers: .seeded(1), faults: faults)
    var search = BookSearch(access: ServiceAccess(BookLab.service, replica: server))
    search.client = FetchClient()
    let results = await search.results(for: "the") { _, _ in }
    story.say("\(results.books.count.counted("book")), and then: \(results.error?.sentence ?? "nothing")")
    try story.check(results.error != nil && results.books.count > GoogleBooks.largestPage, "earlier pages were lost")
  }
}

/// Records every notification.
private final class Ledger: BookListener {
  private let entries = Lock<[String]>([])

  var lines: [String] { entries.withLock { $0 } }

  func book(_ book: BookData, was change: BookChange) {
    entries.withLock { $0.append("\(change.rawValue): \(book.title)") }
  }
}
