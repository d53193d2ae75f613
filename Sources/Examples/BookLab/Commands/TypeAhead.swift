import ExampleSupport
import FetchKit
import Foundation

extension BookLab {
  static let type = Command(
    "type", "",
    "Searches as you type: at a terminal with each key, until Return; in a pipe each line is a search of its own",
    options: [CommandOption("pause MS", "at a terminal search when nothing was typed for so long; 300 unless given")],
    json: #"a line for each answer: {"query","books":[{"id","title","authors","publisher","publicationDate","#
      + #""isbn13","imageURL","description"}]}"#, asksServer: true
  ) { call in
    let pause = try call.number("pause", in: 0...60_000) ?? 300
    var search = BookSearch(access: try call.connect())
    search.pageSize = 10
    guard Typing.open() else { return try await answerLines(by: search, call.console) }
    defer { Typing.close() }
    try await answerKeys(by: search, pause: .milliseconds(pause), call.console)
  }

  /// One search for each line, one after the other: no line of a file is an older form of the next.
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
