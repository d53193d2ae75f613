import ExampleSupport
import FetchKit
import Foundation

extension BookLab {
  static let type = Command(
    "type", "",
    "Searches as you type: at a terminal with each key, until Return; in a pipe each line is the whole text",
    options: [CommandOption("pause MS", "search when nothing was typed for so long; 300 unless given")],
    json: #"a line for each answer: {"query","books":[{"id","title","authors","publisher","publicationDate","#
      + #""isbn13","imageURL","description"}]}"#
  ) { call in
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
    let isKeyboard = Typing.follow {
      next.yield(.typed($0))
    } atEnd: {
      next.yield(.over)
    }
    defer { Typing.close() }

    var screen = TypeAheadScreen(call.console, isKeyboard: isKeyboard)
    var latest = Input(number: 0, text: "")
    var isOver = false
    var isWaiting = false
    for await step in steps {
      switch step {
      case .typed(let text):
        latest = Input(number: latest.number + 1, text: text.trimmingCharacters(in: .whitespaces))
        isWaiting = !latest.text.isEmpty
        if isWaiting { search(latest) } else { search.cancel() }
        screen.typed(text)
      case .over: isOver = true
      case .found(let input, let result):
        // What was typed while this answer was on its way has made it an old one.
        guard input.number == latest.number else { continue }
        isWaiting = false
        try screen.found(result, for: input.text)
      }
      if isOver, !isWaiting { break }
    }
    screen.leave()
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
}
