import ExampleServer
import ExampleSupport
import FetchKit
import Foundation

/// The whole story in one run. Every step is checked; the first that does not hold ends it.
struct Demo {
  let console: Console

  func run() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "mustc-demo-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer {
      do { try FileManager.default.removeItem(at: folder) } catch { console.warn("left behind: \(folder.path)") }
    }
    try await tell(in: folder)
  }

  private func tell(in folder: URL) async throws {
    let server = try ExampleServer(numbers: .fixed)
    let store = folder.appending(path: "mustc.store")
    let service = MovieDB.Service(baseURL: server.movieDatabaseURL, key: "example")
    console.say("The movies a family wants to see, and ratings that keep up.")
    console.say("Server: a replica of the movie database, \(service.baseURL)")
    console.say("Store:  \(store.path)")

    // The library is given away, so that the store is closed when the last function that had it returns.
    let stored = try await addAndRefresh(MovieLibrary(store: store, service: service), server)

    step("The store is closed, and opened again from disk")
    // SQLite removes the log when the last connection to a store is closed in good order.
    try check(!FileManager.default.fileExists(atPath: store.path + "-wal"), "the store is still open")
    let reopened = try await MovieLibrary(store: store, service: service).movies()
    show(reopened)
    try check(reopened == stored, "the reopened store does not have what was stored")
    console.say("\nEverything held.")
    try console.result(reopened)
  }

  private func addAndRefresh(_ library: consuming MovieLibrary, _ server: ExampleServer) async throws -> [MovieRow] {
    try await addAndRate(library, server)
    return try await refreshUntilTheServerStops(library, server)
  }

  private func addAndRate(_ library: MovieLibrary, _ server: ExampleServer) async throws {
    step("Two members of the family, three movies: each is stored and listed before anything is known of it")
    let wishes = [("Fargo", ["Ada"]), ("Fast & Furious", ["Grace"]), ("Amélie", ["Ada", "Grace"])]
    for (title, members) in wishes {
      for member in members { _ = try await library.add(title, for: member) }
      let stored = try await library.movies().first { $0.title == title }
      try check(stored?.members == members, "\(title) is not listed for \(members) right after it was added")
      try check(stored?.rating == nil, "\(title) has a rating before anybody asked for it")
    }
    show(try await library.movies())
    try check(server.requestCount == 0, "the server was asked before the movies were listed")

    step("Their ratings arrive")
    let first = await library.refresh()
    let rated = try await library.movies()
    show(rated)
    try check(first.result == .newData && first.changed == 3, "not every rating arrived: \(first.counts)")
    try check(rated.allSatisfy { $0.rating != nil && $0.remoteID != nil }, "a rating was not stored")
  }

  private func refreshUntilTheServerStops(_ library: MovieLibrary, _ server: ExampleServer) async throws -> [MovieRow] {
    let before = try await library.movies()

    step("The server's numbers change: refresh says newData")
    server.changeNumbers()
    let news = await library.refresh()
    let changed = try await library.movies()
    show(changed)
    console.say("  refresh: \(news.counts)")
    try check(news.result == .newData, "changed numbers were not noticed: \(news.counts)")
    try check(zip(before, changed).allSatisfy { $0.popularity != $1.popularity }, "changed numbers were not stored")

    step("Nothing has changed since: refresh says noData")
    let quiet = await library.refresh()
    console.say("  refresh: \(quiet.counts)")
    try check(quiet.result == .noData && quiet.failed == 0, "there was nothing new, but refresh says \(quiet.counts)")

    step("The server stops: refresh says failed, and what is stored stays")
    server.stop()
    let failed = await library.refresh()
    console.say("  refresh: \(failed.counts)")
    if let reason = failed.firstReason { console.say(wrapping: reason, indent: "  ") }
    try check(failed.result == .failed && failed.failed == 3, "no server, but refresh says \(failed.counts)")
    let kept = try await library.movies()
    try check(kept == changed, "a failed refresh changed what is stored")
    return kept
  }

  private func step(_ title: String) {
    console.say("\n\(title)")
  }

  private func show(_ rows: [MovieRow]) {
    for line in MovieRow.table(rows) { console.say("  \(line)") }
  }

  private func check(_ holds: Bool, _ sentence: String) throws {
    guard holds else { throw DemoFailure(description: "the demo failed: \(sentence)") }
  }
}

struct DemoFailure: Error, CustomStringConvertible {
  let description: String
}
