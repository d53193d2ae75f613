import ExampleSupport
import FetchKit
import Foundation

extension BookLab {
  static let type = Command(
    "type", "",
    "Searches as you type: at a terminal, after every key until Return; in a pipe, once per line",
    options: [CommandOption("pause MS", "at a terminal, the pause between the last key and a search; 300 by default")],
    json: #"one line per search: {"query","books":[{"id","title","authors","publisher","publicationDate","#
      + #""isbn13","imageURL","description"}]}"#, asksServer: true
  ) { call in
    let pause = try call.number("pause", in: 0...60_000) ?? 300
    var search = BookSearch(access: try call.connect())
    search.pageSize = 10
    guard Typing.open() else { return try await answerLines(by: search, call.console) }
    defer { Typing.close() }
    try await answerKeys(by: search, pause: .milliseconds(pause), call.console)
  }

  /// Runs one search per line, one after another. Unlike text being typed, the lines of a file do not supersede each
  /// other.
  private static func answerLines(by search: BookSearch, _ console: Console) async throws {
    var (count, failed) = (0, 0)
    for await line in Typing.lines {
      let text = line.trimmingCharacters(in: .whitespaces)
      guard !text.isEmpty else { continue }
      count += 1
      let result: Result<[BookData], FetchError>
      do { result = .success(try await search.firstBooks(for: text)) } catch { result = .failure(error) }
      if case .failure = result { failed += 1 }
      try TypeAheadScreen.print(result, for: text, console)
    }
    if failed > 0 { throw Failure("\(failed) of \(count.counted("search", "searches")) failed") }
  }

  private static func answerKeys(by search: BookSearch, pause: Duration, _ console: Console) async throws {
    let (steps, next) = AsyncStream.makeStream(of: Step.self)
    let fetch = LatestFetch(pace: .debounce(pause)) { (input: Input) async throws(FetchError) in
      try await search.firstBooks(for: input.text)
    } deliver: { input, result in
      next.yield(.found(input, result))
    }
    Typing.follow {
      next.yield(.typed($0))
    } atEnd: {
      next.yield(.over)
    }

    var screen = TypeAheadScreen(console)
    var latest = Input(number: 0, text: "")
    var isOver = false
    var isWaiting = false
    for await step in steps {
      switch step {
      case .typed(let text):
        latest = Input(number: latest.number + 1, text: text.trimmingCharacters(in: .whitespaces))
        isWaiting = !latest.text.isEmpty
        if isWaiting { fetch(latest) } else { fetch.cancel() }
        screen.typed(text)
      case .over: isOver = true
      case .found(let input, let result):
        // The result is outdated if the text has changed since the search started.
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
