import ExampleSupport
import FetchKit

extension MustC {
  static let refresh = Command(
    "refresh", "", "Updates the ratings of all movies",
    options: [
      CommandOption(
        "style STYLE", "group uses structured tasks, and operations uses an operation queue; the result is the same"),
      CommandOption("budget SECONDS", "the time limit"),
    ],
    json: #"{"result":"newData|noData|failed","updated":n,"failed":n}"#, asksServer: true
  ) { call in
    var refresh = Refresh()
    refresh.budget = try call.amount("budget").map { .seconds($0) }
    let name = try call.text("style") ?? MovieLibrary.RefreshStyle.group.rawValue
    guard let style = MovieLibrary.RefreshStyle(rawValue: name) else {
      throw UsageError("--style must be group or operations")
    }
    let line = ProgressLine("Movies", call.console)
    let library = try await Desk(call).library
    let report = await library.refresh(refresh, style) { line.show($0, of: $1) }
    line.clear()
    call.console.say(report.counts)
    try call.console.result(RefreshSummary(report))
    if report.result == .failed { throw Failure(report.reason) }
    for failure in report.failures { call.console.warn("Not updated: \(failure.error.sentence)") }
    let unknown = try await library.unknownMovies(but: Set(report.failures.map(\.item))).map { "“\($0.name)”" }
    if !unknown.isEmpty, !report.isTimedOut {
      call.console.warn(
        "Not found by title: \(unknown.joined(separator: ", ")). Add the right movie with --pick and remove this one.")
    }
    if report.isTimedOut { call.console.warn("Out of time: \(report.cancelled.counted("movie")) not updated") }
  }
}

struct RefreshSummary: Encodable {
  let result: String
  let updated: Int
  let failed: Int

  init<Item>(_ report: RefreshReport<Item>) {
    result = report.result.rawValue
    updated = report.changed
    failed = report.failed + report.cancelled
  }
}

extension RefreshReport {
  /// The result as `newData: 3 updated, 0 failed`.
  var counts: String { "\(result.rawValue): \(changed) updated, \(failed + cancelled) failed" }

  /// The reason why there is no new data, in one sentence.
  var reason: String {
    if let listError { return "the movies could not be read: \(listError.sentence)" }
    let count = changed + unchanged + failed + cancelled
    let sentence = "\(failed + cancelled) of \(count) could not be refreshed"
    let cause = failures.first?.error.sentence ?? (isTimedOut ? "the time budget ran out" : "cancelled")
    return "\(sentence): \(cause)"
  }
}
