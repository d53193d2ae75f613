import ExampleSupport
import FetchKit
import Persistence

extension MustC {
  static let watch = Command(
    "watch", "", "Shows the movies, and every change of them, until it is interrupted",
    options: [CommandOption("every SECONDS", "ask for new numbers so often; 60 unless given")],
    json: "what list prints, on a line for each change", asksServer: true
  ) { call in
    let seconds = try call.amount("every") ?? 60
    let library = try await Desk(call, followsOthers: true).library
    let complaints = Complaints(call.console)
    let periodic = PeriodicRefresh(every: .seconds(seconds)) {
      let report = await library.refresh()
      complaints.note(report.result == .failed ? report.reason : nil)
      return report.result
    }
    periodic.start()
    var known: [ObjectID<Movie>: MovieRow] = [:]
    var shown: [MovieRow] = []
    var isFirst = true
    for await update in try await library.updates() {
      let movies = try await library.rows(update.snapshot)
      let now = Dictionary(movies.map { ($0.id, $0.row) }) { first, _ in first }
      // A refresh that found the same numbers has noted when it asked, which is nothing to show.
      if !isFirst, movies.map(\.row) == shown {
        // The same rows may have been stored anew, as other objects.
        known = now
        continue
      }
      if isFirst {
        call.console.say(TextTable(movies: movies.map(\.row)))
      } else {
        for (id, row) in known where now[id] == nil { call.console.say("Gone: \(row.name)") }
        for (id, row) in movies where known[id] != row {
          call.console.say("\(known[id] == nil ? "New: " : "Now: ") \(row.name), \(row.numbers)")
        }
      }
      try call.console.result(movies.map(\.row))
      (known, shown, isFirst) = (now, movies.map(\.row), false)
    }
    periodic.stop()
  }
}

/// Says why a refresh failed, once for each reason in a row.
private final class Complaints: Sendable {
  private let console: Console
  private let latest = FetchKit.Lock<String?>(nil)

  init(_ console: Console) {
    self.console = console
  }

  func note(_ reason: String?) {
    let isNew = latest.withLock { latest in
      defer { latest = reason }
      return latest != reason
    }
    if isNew, let reason { console.warn("Not refreshed: \(reason)") }
  }
}
