import ExampleReplicas
import FetchKit
import FetchKitTesting
import Foundation
import LarderTestSupport
import Testing

@testable import ExampleSupport

/// The programs at a terminal: widths, colours, progress, and keys.
@Suite struct TerminalTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func run(
    _ name: String, _ arguments: [String], columns: Int = 80, environment: [String: String] = [:]
  ) async throws -> String {
    let program = try TerminalProgram(name, arguments, columns: columns, environment: environment)
    let output = await program.output()
    #expect(output.exit == .code(0), "\(output.text)")
    return output.text
  }

  /// The lines as a reader sees them: without the codes for bold text and without overwritten text.
  private func lines(_ text: String) -> [String] {
    text.replacing("\r\n", with: "\n").replacing(#/\u{1B}\[[0-9;]*[A-Za-z]/#, with: "")
      .split(separator: "\n").compactMap { $0.split(separator: "\r").last.map(String.init) }
  }

  @Test(arguments: [80, 40]) func `no line is wider than the terminal`(columns: Int) async throws {
    let server = try ExampleServer(numbers: .seeded(1))
    let books = ["--base-url", server.booksURL.absoluteString, "--store", folder.path("booklab.store")]
    for command in [["search", "whales", "--max-requests", "1", "--add", "1"], ["list"]] {
      let shown = lines(try await run("BookLab", command + books, columns: columns))
      #expect(!shown.isEmpty)
      for line in shown where !line.contains("--max-requests") && !line.hasPrefix("Added") {
        #expect(TextLayout.width(of: line) <= columns, "\(line)")
      }
    }
    for program in ["MustC", "Flickr", "BookLab", "ExampleServer"] {
      for line in lines(try await run(program, [], columns: columns)) where !line.contains("https://") {
        #expect(TextLayout.width(of: line) <= columns, "\(line)")
      }
    }
  }

  @Test func `titles are bold at a terminal, and plain with --no-color or NO_COLOR`() async throws {
    let bold = try await run("MustC", ["demo"])
    #expect(bold.contains("\u{1B}[1m"))
    #expect(!(try await run("MustC", ["demo", "--no-color"])).contains("\u{1B}"))
    #expect(!(try await run("MustC", ["demo"], environment: ["NO_COLOR": "1"])).contains("\u{1B}"))
    #expect(!(try await run("MustC", ["demo"], environment: ["TERM": "dumb"])).contains("\u{1B}"))
  }

  @Test func `progress is shown and cleared at a terminal, and not shown with --json`() async throws {
    let server = try ExampleServer(numbers: .seeded(1))
    let books = ["--base-url", server.booksURL.absoluteString, "--store", folder.path("booklab.store")]
    _ = try await run(
      "BookLab", ["search", "bees", "--add", "1", "--add", "2", "--add", "3", "--add", "4", "--add", "5"] + books)
    let shown = try await run("BookLab", ["thumbnails"] + books)
    #expect(shown.contains(#/Covers \[[#·]+\] \d of \d, [0-9.]+ k?B, [0-9.]+ [kM]?B\/s/#))
    #expect(lines(shown).last?.hasPrefix("New covers: ") == true)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("booklab.store.covers")).count > 0)
    try FileManager.default.removeItem(atPath: folder.path("booklab.store.covers"))
    let json = try await run("BookLab", ["thumbnails", "--json"] + books)
    #expect(lines(json).count == 1 && json.hasPrefix("{\"downloaded\""))

    let movies = ["--base-url", server.movieDatabaseURL.absoluteString, "--store", folder.path("mustc.store")]
    for title in ["Fargo", "Up"] { _ = try await run("MustC", ["add", title, "--member", "Ada"] + movies) }
    #expect(try await run("MustC", ["refresh"] + movies).contains(#/Movies \[[#·]+\] 2 of 2, \d+\/s/#))
  }

  @Test func `download progress knows its total, and no other output is mixed with it`() async throws {
    var faults = InjectedFaults()
    faults.bytesPerSecond = 400_000
    let server = try ExampleServer(numbers: .seeded(1), faults: faults)
    let shown = try await run(
      "Flickr", ["fetch", "--base-url", server.photosURL.absoluteString, "--store", folder.path("flickr.store")])
    #expect(shown.contains(#/Photos \[[#·]+\] [0-9.]+ k?B of [0-9.]+ kB/#), "\(shown)")
    // The remainder of each line is what was written after it was last cleared.
    let left = shown.replacing("\r\n", with: "\n").split(separator: "\n").map { line in
      line.components(separatedBy: "\r\u{1B}[K").last ?? ""
    }
    #expect(left.contains("All downloads have been processed: the completion handler was called"), "\(left)")
    #expect(left.last?.contains(" photos: ") == true, "\(left)")
    #expect(!left.contains { $0.contains("Photos [") }, "\(left)")
  }

  @Test func `numbers and ids are not truncated on a narrow terminal`() async throws {
    let server = try ExampleServer(numbers: .seeded(1))
    let movies = ["--base-url", server.movieDatabaseURL.absoluteString, "--store", folder.path("mustc.store")]
    _ = try await run("MustC", ["add", "The Matrix Reloaded", "--member", "Alexandra and Bartholomew"] + movies)
    let list = lines(try await run("MustC", ["list"] + movies, columns: 40))
    #expect(list.contains { $0.contains(#/\d+\.\d{3}$/#) }, "\(list)")
    #expect(list.contains { $0.contains("Popularity") }, "\(list)")
    let books = ["--base-url", server.booksURL.absoluteString, "--store", folder.path("booklab.store")]
    let found = lines(try await run("BookLab", ["search", "whales", "--max-requests", "1"] + books, columns: 40))
    #expect(found.count { $0.contains(#/^  Id: [\w-]{12}$/#) } == 40, "\(found)")
  }

  @Test func `each key searches, typed text is shown once, and Return leaves the results`() async throws {
    let server = try ExampleServer(numbers: .seeded(1))
    let program = try TerminalProgram(
      "BookLab", ["type", "--pause", "0", "--base-url", server.booksURL.absoluteString], columns: 60)
    try await program.shows("Search:")
    #expect(!program.echoes)
    program.press("whalez")
    try await program.shows("whalez")
    try await program.shows("Nothing found.")
    program.press("\u{7F}s")
    try await program.shows("Whales")
    program.press("\r")
    let output = await program.output()
    #expect(output.exit == .code(0))
    let last = lines(output.text).suffix(12)
    #expect(last.first == "Search: whales")
    #expect(last.dropFirst().first?.hasPrefix("Title ") == true)
    #expect(last.count == 12 && last.allSatisfy { TextLayout.width(of: $0) <= 60 }, "\(last)")
    #expect(program.echoes)
  }

  @Test func `at a terminal with redirected output only the results are redirected`() async throws {
    struct Found: Decodable { let query: String }
    let server = try ExampleServer(numbers: .seeded(1))
    let file = folder.path("answers")
    let output = open(file, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
    let program = try TerminalProgram(
      "BookLab", ["type", "--json", "--base-url", server.booksURL.absoluteString], output: output)
    close(output)
    try await program.shows("Search:")
    program.press("tea\n")
    let shown = await program.output()
    #expect(shown.exit == .code(0))
    #expect(shown.text.contains("Search:") && shown.text.contains("tea") && !shown.text.contains("{"))
    let answers = try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n")
    #expect(try answers.map { try JSONDecoder().decode(Found.self, from: Data($0.utf8)).query } == ["tea"])
  }

  @Test func `a result that arrives after the text has changed is never shown`() async throws {
    let gate = LoopbackGate()
    let server = try LoopbackServer()
    server.on(.get, "/volumes") { request in
      let title = request.query("q") ?? ""
      let page = LoopbackResponse.json(#"{"items":[{"id":"x","volumeInfo":{"title":"<\#(title)>"}}]}"#)
      return title == "s" ? page.held(at: gate) : page
    }
    let program = try TerminalProgram("BookLab", ["type", "--pause", "0", "--base-url", server.url.absoluteString])
    try await program.shows("Search:")
    program.press("s")
    await server.requests(atLeast: 1)
    program.press("o")
    try await program.shows("<so>")
    gate.open()
    program.press("n")
    try await program.shows("<son>")
    program.press("\r")
    #expect(await !program.output().text.contains("<s>"))
  }

  @Test func `quickly typed text is searched once`() async throws {
    let server = try ExampleServer(numbers: .seeded(1))
    let program = try TerminalProgram(
      "BookLab", ["type", "--pause", "300", "--base-url", server.booksURL.absoluteString])
    try await program.shows("Search:")
    program.press("whales\r")
    #expect(await program.output().text.contains("Whales"))
    #expect(server.requestCount == 1)
  }

  @Test(.timeLimit(.minutes(1)), arguments: [SIGINT, SIGTERM])
  func `an interrupt leaves the results above the shell's next line`(
    number: Int32
  ) async throws {
    let server = try LoopbackServer()
    server.on(
      "*",
      .json(#"{"items":[{"id":"x","volumeInfo":{"title":"Emma"}},{"id":"y","volumeInfo":{"title":"Persuasion"}}]}"#))
    let program = try TerminalProgram("BookLab", ["type", "--base-url", server.url.absoluteString, "--pause", "0"])
    try await program.shows("Search:")
    program.press("a")
    try await program.shows("Persuasion")
    try await program.shows("\u{1B}[3A\r\u{1B}[9C")
    if number == SIGINT { program.press("\u{3}") } else { program.signal(number) }
    let output = await program.output()
    #expect(output.exit == .signal(number))
    #expect(output.text.hasSuffix("\u{1B}[3A\r\u{1B}[9C" + String(repeating: "\r\r\n", count: 4)), "\(output.text)")
  }

  @Test(arguments: [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGABRT, SIGILL, SIGTRAP, SIGSEGV, SIGBUS, SIGFPE])
  func `the terminal's settings are restored however the program ends`(number: Int32) async throws {
    let server = try LoopbackServer()
    server.on("*", .text("late").held(at: LoopbackGate()))
    let program = try TerminalProgram("BookLab", ["type", "--base-url", server.url.absoluteString, "--pause", "0"])
    try await program.shows("Search:")
    #expect(!program.echoes)
    program.press("x")
    await server.requests(atLeast: 1)
    if number == SIGINT { program.press("\u{3}") } else { program.signal(number) }
    #expect(await program.output().exit == .signal(number))
    #expect(program.echoes)
  }
}
