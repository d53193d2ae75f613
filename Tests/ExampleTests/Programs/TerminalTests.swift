import ExampleReplicas
import FetchKitTesting
import Foundation
import TestSupport
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

  /// The lines as they are read: without what makes them bold, and what was drawn over.
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

  @Test func `titles are bold at a terminal, and plain where that is asked for`() async throws {
    let bold = try await run("MustC", ["demo"])
    #expect(bold.contains("\u{1B}[1m"))
    #expect(!(try await run("MustC", ["demo", "--no-color"])).contains("\u{1B}"))
    #expect(!(try await run("MustC", ["demo"], environment: ["NO_COLOR": "1"])).contains("\u{1B}"))
    #expect(!(try await run("MustC", ["demo"], environment: ["TERM": "dumb"])).contains("\u{1B}"))
  }

  @Test func `progress is shown at a terminal and taken away, and not with --json`() async throws {
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

  @Test func `each key searches, what is typed is shown once, and Return leaves what was found`() async throws {
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
    let last = lines(output.text).suffix(11)
    #expect(last.first == "Search: whales")
    #expect(last.count == 11 && last.allSatisfy { TextLayout.width(of: $0) <= 60 }, "\(last)")
    #expect(program.echoes)
  }

  @Test func `at a terminal whose output goes elsewhere, only answers go there`() async throws {
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

  @Test(arguments: [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGABRT, SIGILL, SIGTRAP, SIGSEGV, SIGBUS, SIGFPE])
  func `however it ends, the terminal is given back`(number: Int32) async throws {
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
