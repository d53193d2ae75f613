import ExampleReplicas
import ExampleSupport
import FetchKit
import Foundation
import Persistence

extension MustC {
  static let demo = Command(
    "demo", "", "Runs the complete demo in a temporary folder",
    json: #"[{"title","year","remoteID","popularity","rating","members":["NAME"]}]: the movies at the end"#,
    standsAlone: true
  ) { call in
    try await Story.tell("The movies a family wants to see, with current ratings.", call.console) { story in
      try await MovieStory(story: story).tell()
    }
  }
}

/// The steps of the demo. Each one is checked.
private struct MovieStory {
  let story: Story

  func tell() async throws {
    let server = try ExampleServer(numbers: .seeded(1))
    let store = story.folder.appending(path: "mustc.store")
    let access = ServiceAccess(MustC.service, replica: server)
    story.say("Server: a replica of the movie database, \(access.baseURL)")
    story.say("Store:  \(store.path)")

    // The library is passed on, so that the store is closed when the last function that owns it returns.
    let stored = try await addAndRefresh(MovieLibrary(store: store, access: access), server)

    story.step("The store is closed and reopened from disk")
    // SQLite removes the log when the last connection to a store is closed properly.
    try story.check(!FileManager.default.fileExists(atPath: store.path + "-wal"), "the store is still open")
    let reopened = try await MovieLibrary(store: store, access: access).movies()
    story.say(TextTable(movies: reopened))
    try story.check(reopened == stored, "the reopened store does not contain what was stored")
    try await migrate(ServiceAccess(MustC.service, replica: try ExampleServer(numbers: .seeded(1))))
    try story.console.result(reopened)
  }

  private func migrate(_ access: ServiceAccess) async throws {
    story.step(
      "A store of the first version, which has no ratings, is migrated, and its movies get ratings")
    let store = story.folder.appending(path: "first.store")
    try FirstModel.copy(to: store)
    let library = try await MovieLibrary(store: store, access: access)
    for step in library.migration?.steps ?? [] { story.say("- \(step.text)") }
    let before = try await library.movies()
    try story.check(library.migration?.oldVersion == 1, "the store was not migrated")
    try story.check(before.count == 3 && before.allSatisfy { $0.rating == nil }, "movies were lost")
    let report = await library.refresh()
    let after = try await library.movies()
    story.say(TextTable(movies: after))
    try story.check(report.changed == before.count && after.allSatisfy { $0.rating != nil }, "a rating is missing")
    try story.check(after.map(\.members) == before.map(\.members), "a member was lost")
  }

  private func addAndRefresh(_ library: consuming MovieLibrary, _ server: ExampleServer) async throws -> [MovieRow] {
    try await addAndRate(library, server)
    return try await refreshUntilTheServerStops(library, server)
  }

  private func addAndRate(_ library: MovieLibrary, _ server: ExampleServer) async throws {
    story.step("Two family members add three movies: each movie is stored and listed before it has a rating")
    let wishes = [("Fargo", ["Ada"]), ("Fast & Furious", ["Grace"]), ("Amélie", ["Ada", "Grace"])]
    for (title, members) in wishes {
      for member in members { _ = try await library.add(title, for: member) }
      let stored = try await library.movies().first { $0.title == title }
      try story.check(stored?.members == members, "\(title) is not listed for \(members) right after it was added")
      try story.check(stored?.rating == nil, "\(title) has a rating before any request")
    }
    story.say(TextTable(movies: try await library.movies()))
    try story.check(server.requestCount == 0, "a request was sent before the movies were listed")

    story.step("The ratings arrive")
    let first = await library.refresh()
    let rated = try await library.movies()
    story.say(TextTable(movies: rated))
    try story.check(first.result == .newData && first.changed == 3, "not every rating arrived: \(first.counts)")
    try story.check(rated.allSatisfy { $0.rating != nil && $0.remoteID != nil }, "a rating was not stored")
  }

  private func refreshUntilTheServerStops(_ library: MovieLibrary, _ server: ExampleServer) async throws -> [MovieRow] {
    let before = try await library.movies()

    story.step("The server's numbers change: refresh reports newData")
    server.changeNumbers()
    let news = await library.refresh()
    let changed = try await library.movies()
    story.say(TextTable(movies: changed))
    story.say("refresh: \(news.counts)")
    try story.check(news.result == .newData, "changed numbers were not noticed: \(news.counts)")
    try story.check(
      zip(before, changed).allSatisfy { $0.popularity != $1.popularity }, "changed numbers were not stored")

    story.step("Nothing has changed since: refresh reports noData")
    let quiet = await library.refresh()
    story.say("refresh: \(quiet.counts)")
    try story.check(
      quiet.result == .noData && quiet.failed == 0, "there was nothing new, but refresh reports \(quiet.counts)")

    story.step("The server stops: refresh reports failed, and the stored movies stay unchanged")
    server.stop()
    let failed = await library.refresh()
    story.say("refresh: \(failed.counts)")
    story.say(failed.reason)
    try story.check(failed.result == .failed && failed.failed == 3, "no server, but refresh reports \(failed.counts)")
    let kept = try await library.movies()
    try story.check(kept == changed, "a failed refresh changed the stored movies")
    return kept
  }
}
