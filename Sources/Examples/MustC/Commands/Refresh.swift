import ExampleSupport
import FetchKit

extension MustC {
  static func refresh(_ arguments: Arguments) async throws {
    guard arguments.words.count == 1 else { throw UsageError("refresh takes no words") }
    let session = try await Session(arguments)
    let report = await session.library.refresh()
    session.console.say(report.counts)
    try session.console.result(RefreshSummary(report))
    if report.result == .failed {
      throw RefreshFailed(failed: report.failed, of: report.count, reason: report.firstReason)
    }
    for failure in report.failures { session.console.warn("Not updated: \(failure.error)") }
  }
}

/// Nothing new came, and something failed.
struct RefreshFailed: Error, CustomStringConvertible {
  let failed: Int
  let of: Int
  let reason: String?

  var description: String {
    let sentence = of == 0 ? "the movies could not be read" : "\(failed) of \(of) could not be refreshed"
    return reason.map { "\(sentence): \($0)" } ?? sentence
  }
}

struct RefreshSummary: Encodable {
  let result: String
  let updated: Int
  let failed: Int

  init<Item>(_ report: RefreshReport<Item>) {
    result = report.result.rawValue
    updated = report.changed
    failed = report.failed
  }
}

extension RefreshReport {
  fileprivate var count: Int { changed + unchanged + failed + cancelled }

  var firstReason: String? { (listError ?? failures.first?.error).map { "\($0)" } }

  /// `newData: 3 updated, 0 failed`
  var counts: String { "\(result.rawValue): \(changed) updated, \(failed) failed" }
}
