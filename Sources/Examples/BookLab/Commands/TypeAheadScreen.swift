import ExampleSupport
import FetchKit

/// The screen that `type` shows in a terminal: the input line with the results below it, or only the input line if the
/// results are written elsewhere.
struct TypeAheadScreen {
  private let console: Console
  private var field: SearchField?
  private var text = ""
  private var shown: Result<[BookData], FetchError>?

  init(_ console: Console) {
    self.console = console
    field = SearchField("Search:", console)
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
      // If the input line is on the same terminal as the results, the results are printed above it.
      field?.clear()
      try Self.print(result, for: query, console)
    }
    draw()
  }

  /// Ends the input and leaves the results on the screen.
  mutating func leave() {
    let shown = shown
    field?.leave(text) { Self.lines(of: shown, columns: $0) }
  }

  /// Prints the result of a search.
  static func print(
    _ result: Result<[BookData], FetchError>, for query: String, _ console: Console
  ) throws {
    switch result {
    case .success(let books):
      console.say(query, bold: true)
      if books.isEmpty { console.say("Nothing found.") }
      console.say(TextTable(books))
      try console.result(Found(query: query, books: books))
    case .failure(let error): console.warn("\(query): \(error.sentence)")
    }
  }

  private mutating func draw() {
    let shown = shown
    field?.show(text) { Self.lines(of: shown, columns: $0) }
  }

  private static func lines(of result: Result<[BookData], FetchError>?, columns: Int) -> [String] {
    switch result {
    case nil: []
    case .success(let books) where books.isEmpty: ["Nothing found."]
    case .success(let books): TextTable(books).lines(columns: columns)
    case .failure(let error): TextLayout.wrap(TextLayout.printable(error.sentence), columns: columns)
    }
  }

  private struct Found: Encodable {
    let query: String
    let books: [BookData]
  }
}
