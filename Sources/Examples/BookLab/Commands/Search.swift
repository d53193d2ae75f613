import ExampleSupport

extension BookLab {
  static let search = Command(
    "search", "QUERY", "Searches for books and shows them page by page",
    options: [
      CommandOption("max-requests N", "the maximum number of pages to request; 10 by default"),
      CommandOption("page-size N", "the number of books per page; 40 by default, which is the maximum"),
      CommandOption("add N", "add the N-th book to your library", repeatable: true),
    ],
    json: #"{"requests":n,"books":[{"id","title","authors","publisher","publicationDate","isbn13","imageURL","#
      + #""description"}],"dropped":[{"path","reason"}]}"#, asksServer: true
  ) { call in
    let console = call.console
    let wanted = try call.numbers("add", in: 1...100_000)
    let pageSize = try call.number("page-size", in: 1...GoogleBooks.largestPage)
    let maxRequests = try call.number("max-requests", in: 1...1000)
    var search = BookSearch(access: try call.connect())
    search.pageSize = pageSize ?? search.pageSize
    search.maxRequests = maxRequests ?? search.maxRequests

    let results = await search.results(for: call.text) { books, before in
      console.say(TextTable(books, from: before + 1))
    }
    if results.books.isEmpty, results.dropped.isEmpty, results.error == nil { console.say("Nothing found.") }
    if let ending = results.ending { console.note(ending) }
    if !results.dropped.isEmpty {
      console.warn("\(results.dropped.count.counted("volume")) could not be read:")
      for dropped in results.dropped { console.warn("Skipped: \(dropped.path): \(dropped.reason)") }
    }
    try console.result(results)

    if !wanted.isEmpty {
      let known = wanted.filter { $0 <= results.books.count }
      let desk = try await Desk(call, mustExist: false)
      try await desk.change { try await $0.add(known.map { results.books[$0 - 1] }) }
      if let missing = wanted.first(where: { !known.contains($0) }) {
        throw Failure("there is no book number \(missing) in the results")
      }
    }
    if let error = results.error {
      throw Failure(results.books.isEmpty ? error.sentence : "the list is incomplete: \(error.sentence)")
    }
    if results.books.isEmpty, !results.dropped.isEmpty { throw Failure("none of the volumes found could be read") }
  }
}
