import ExampleSupport
import FetchKit
import Foundation

extension BookLab {
  static let type = Command(
    "type", "", "Searches as you type: each line of standard input is what the search field holds by then",
    options: [CommandOption("pause MS", "search when no other line came for so long; 300 unless given")],
    json: #"a line for each answer: {"query","books":[{"id","title","authors","publisher","publicationDate","#
      + #""isbn13","imageURL","description"}]}"#
  ) { call in
    let console = call.console
    let pause = try call.number("pause", in: 0...60_000) ?? 300
    var paged = BookSearch(access: try call.connect())
    (paged.pageSize, paged.maxRequests) = (10, 1)
    let (steps, next) = AsyncStream.makeStream(of: Step.self)
    let search = LatestFetch(pace: .debounce(.milliseconds(pause))) {
      [paged] (input: Input) async throws(FetchError) in
      try await paged.firstBooks(for: input.text)
    } deliver: { input, result in
      next.yield(.found(input, result))
    }
    StandardInput.forEachLine {
      next.yield(.typed($0))
    } atEnd: {
      next.yield(.over)
    }

    var latest = Input(number: 0, text: "")
    var isOver = false
    var isWaiting = false
    for await step in steps {
      switch step {
      case .typed(let line):
        latest = Input(number: latest.number + 1, text: line.trimmingCharacters(in: .whitespaces))
        isWaiting = !latest.text.isEmpty
        if isWaiting { search(latest) } else { search.cancel() }
      case .over: isOver = true
      case .found(let input, let result):
        // A line that came while this answer was on its way has made it an old one.
        guard input.number == latest.number else { continue }
        isWaiting = false
        try show(result, for: input.text, console)
      }
      if isOver, !isWaiting { break }
    }
  }

  private static func show(_ result: Result<[BookData], FetchError>, for query: String, _ console: Console) throws {
    switch result {
    case .success(let books):
      console.say(console.terminal.bold(query) + (books.isEmpty ? ": nothing found" : ""))
      console.say(TextTable(books))
      try console.result(Found(query: query, books: books))
    case .failure(let error): console.warn("\(query): \(error)")
    }
  }

  private struct Input: Sendable {
    let number: Int
    let text: String
  }

  private enum Step: Sendable {
    case typed(String)
    case over
    case found(Input, Result<[BookData], FetchError>)
  }

  private struct Found: Encodable {
    let query: String
    let books: [BookData]
  }
}
