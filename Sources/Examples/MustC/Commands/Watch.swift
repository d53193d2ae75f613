import ExampleSupport
import FetchKit
import Persistence

extension MustC {
  static let watch = Command(
    "watch", "", "Shows the movies and every change until interrupted",
    options: [CommandOption("every SECONDS", "the interval between refreshes; 60 by default")],
    json: "the output of list, one line per change", asksServer: true
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
      // An update that leaves all listed values unchanged is not shown.
      if !isFirst, movies.map(\.row) == shown {
        // The same rows may now belong to other objects.
        known = now
        continue
      }
      if isFirst {
        call.console.say(TextTable(movies: movies.map(\.row)))
      } else {
        for (id, row) in known where now[id] == nil { call.console.say("Removed: \(row.name)") }
        for (id, row) in movies where known[id] != row {
          call.console.say("\(known[id] == nil ? "Added:" : "Changed:") \(row.name), \(row.numbers)")
        }
      }
      try call.console.result(movies.map(\.row))
      (known, shown, isFirst) = (now, movies.map(\.row), false)
    }
    periodic.stop()
  }
}

/// Prints why a refresh failed, once for each series of equal reasons.
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
