import ExampleSupport
import FetchKit

extension MustC {
  static let refresh = Command(
    "refresh", "", "Asks for every movie's numbers again",
    options: [
      CommandOption(
        "style STYLE", "group for structured tasks, operations for an operation queue; the outcome is the same"),
      CommandOption("budget SECONDS", "how long it may take"),
    ],
    json: #"{"result":"newData|noData|failed","updated":n,"failed":n}"#, asksServer: true
  ) { call in
    var refresh = Refresh()
    refresh.budget = try call.amount("budget").map { .seconds($0) }
    let name = try call.text("style") ?? MovieLibrary.RefreshStyle.group.rawValue
    guard let style = MovieLibrary.RefreshStyle(rawValue: name) else {
      throw UsageError("--style takes group or operations")
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
    if !unknown.isEmpty, !report.isOutOfTime {
      call.console.warn(
        "Not found by title: \(unknown.joined(separator: ", ")). Add what is meant with --pick, and remove this.")
    }
    if report.isOutOfTime { call.console.warn("Out of time: \(report.cancelled.counted("movie")) not updated") }
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
  /// `newData: 3 updated, 0 failed`
  var counts: String { "\(result.rawValue): \(changed) updated, \(failed + cancelled) failed" }

  /// Why nothing new came, in a sentence.
  var reason: String {
    if let listError { return "the movies could not be read: \(listError.sentence)" }
    let count = changed + unchanged + failed + cancelled
    let sentence = "\(failed + cancelled) of \(count) could not be refreshed"
    let cause = failures.first?.error.sentence ?? (isOutOfTime ? "the time was over" : "cancelled")
    return "\(sentence): \(cause)"
  }
}
