import ExampleReplicas
import ExampleSupport
import FetchKit
import Foundation
import Persistence

extension BookLab {
  static let demo = Command(
    "demo", "", "Tells the whole story in one run, in a temporary folder",
    json:
      #"[{"id","title","authors","publisher","publicationDate","isbn13","imageURL","description"}]: the books kept"#,
    standsAlone: true
  ) { call in
    try await Story.tell("Find books, keep them, and be told of every change.", call.console) { story in
      try await BookStory(story: story).tell()
    }
  }
}

/// The steps of the demo. Each is checked.
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
    story.step("A search comes page by page, no book twice, and one volume that is broken does not cost its page")
    let results = await BookSearch(access: access).results(for: "the") { books, before in
      story.say("books \(before + 1) to \(before + books.count), from “\(books.first?.title ?? "")”")
    }
    for dropped in results.dropped { story.say("left out: \(dropped.path): \(dropped.reason)") }
    try story.check(results.error == nil, "the search failed")
    try story.check(results.requests > 1 && results.requests == server.requestCount, "not all pages were asked for")
    try story.check(Set(results.books.map(\.identity)).count == results.books.count, "a book is there twice")
    try story.check(!results.dropped.isEmpty, "no broken volume was met")
    return results.books
  }

  private func keep(_ found: [BookData], in library: BookLibrary, _ ledger: Ledger) async throws {
    story.step("Four are kept, one of them twice; one is removed again; the listener is told each time")
    let wanted = Array(found.prefix(4))
    try await library.add(wanted)
    try await library.add([wanted[0]])
    _ = try await library.remove(wanted[3].id)
    for line in ledger.lines { story.say(line) }
    let kept = try await library.books()
    story.say(TextTable(kept))
    try story.check(kept.map(\.id).sorted() == wanted.prefix(3).map(\.id).sorted(), "the wrong books are kept")
    try story.check(ledger.lines.count == 5, "the listener was told \(ledger.lines.count) changes instead of 5")
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
    story.step("A server that fails after two pages: what came is kept, and the reason said")
    var trouble = Trouble()
    trouble.failAfter = 2
    let server = try ExampleServer(numbers: .seeded(1), trouble: trouble)
    var search = BookSearch(access: ServiceAccess(BookLab.service, replica: server))
    search.client = FetchClient()
    let results = await search.results(for: "the") { _, _ in }
    story.say("\(results.books.count.counted("book")), and then: \(results.error?.sentence ?? "nothing")")
    try story.check(results.error != nil && results.books.count > GoogleBooks.largestPage, "the pages before were lost")
  }
}

/// Remembers what it is told.
private final class Ledger: BookListener {
  private let entries = Lock<[String]>([])

  var lines: [String] { entries.withLock { $0 } }

  func book(_ book: BookData, was change: BookChange) {
    entries.withLock { $0.append("\(change.rawValue): \(book.title)") }
  }
}
