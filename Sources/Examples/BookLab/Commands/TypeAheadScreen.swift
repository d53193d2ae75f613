import ExampleSupport
import FetchKit

/// What `type` shows: at a terminal the line that is typed into with what was found below it, elsewhere one answer after the
/// other.
struct TypeAheadScreen {
  private let console: Console
  private var field: SearchField?
  private var text = ""
  private var shown: Result<[BookData], FetchError>?

  init(_ console: Console, isKeyboard: Bool) {
    self.console = console
    field = isKeyboard ? SearchField("Search:", console) : nil
    draw()
  }

  mutating func typed(_ text: String) {
    self.text = text
    if text.isEmpty { shown = nil }
    draw()
  }

  mutating func found(_ result: Result<[BookData], FetchError>, for query: String) throws {
    if field?.showsFindings == true {
      shown = result
    } else {
      // Where the line stands on the same terminal as the answer, the answer goes above it.
      field?.clear()
      try print(result, for: query)
    }
    draw()
  }

  /// Ends with what is there left to be read.
  mutating func leave() {
    let shown = shown
    field?.leave(text) { Self.lines(of: shown, columns: $0) }
  }

  private mutating func draw() {
    let shown = shown
    field?.show(text) { Self.lines(of: shown, columns: $0) }
  }

  private func print(_ result: Result<[BookData], FetchError>, for query: String) throws {
    switch result {
    case .success(let books):
      console.say(console.terminal.bold(query) + (books.isEmpty ? ": nothing found" : ""))
      console.say(TextTable(books))
      try console.result(Found(query: query, books: books))
    case .failure(let error): console.warn("\(query): \(error.sentence)")
    }
  }

  private static func lines(of result: Result<[BookData], FetchError>?, columns: Int) -> [String] {
    switch result {
    case nil: []
    case .success(let books) where books.isEmpty: ["Nothing found."]
    case .success(let books): TextTable(books).lines(columns: columns)
    case .failure(let error): TextLayout.wrap(error.sentence, columns: columns)
    }
  }

  private struct Found: Encodable {
    let query: String
    let books: [BookData]
  }
}
