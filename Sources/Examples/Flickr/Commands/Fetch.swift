import ExampleSupport
import FetchKit
import Foundation

extension Flickr {
  static let fetch = Command(
    "fetch", "", "Downloads the most recent geotagged photos and looks up their regions",
    options: [CommandOption("every MINUTES", "repeat at this interval until interrupted")],
    json: #"{"fetched":n,"new":n,"updated":n,"skipped":n}; with --every, one line per fetch"#, asksServer: true
  ) { call in
    let interval = try call.amount("every")
    let store = try call.store(mustExist: false)
    let access = try call.connect()
    let library = try await PhotoLibrary(store: store)
    let recent = try RecentPhotos(library: library, store: store, access: access)
    let teller = FetchTeller(call.console)
    guard let interval else {
      let outcome = await teller.outcome { try await recent.fetch(teller.tell) }
      // Acknowledged events are on disk when this returns.
      await recent.close()
      return try teller.show(try outcome.get())
    }
    let periodic = PeriodicRefresh(every: .seconds(interval * 60)) {
      let outcome = await teller.outcome { try await recent.fetch(teller.tell) }
      do {
        let report = try outcome.get()
        try teller.show(report)
        return report.new + report.updated > 0 ? .newData : .noData
      } catch {
        call.console.warn("Not fetched: \(error.sentence)")
        return .failed
      }
    }
    periodic.start()
    while true { try await Task.sleep(for: .seconds(3600)) }
  }
}

/// Reports the progress and the result of a fetch.
struct FetchTeller: Sendable {
  private let console: Console
  private let line: ProgressLine

  init(_ console: Console) {
    self.console = console
    line = ProgressLine("Photos", console)
  }

  func outcome(
    _ fetch: () async throws -> RecentPhotos.Report
  ) async -> Result<RecentPhotos.Report, any Error> {
    defer { line.clear() }
    return await Result.of(fetch)
  }

  func show(_ report: RecentPhotos.Report) throws {
    console.say(Self.text(of: report))
    try console.result(report)
  }

  static func text(of report: RecentPhotos.Report) -> String {
    "\(report.fetched.counted("photo")): \(report.new) new, \(report.updated) updated, \(report.skipped) skipped"
  }

  func tell(_ news: RecentPhotos.News) {
    switch news {
    case .progress(let progress):
      line.show(bytes: progress.receivedBytes, of: progress.totalBytes, rate: progress.bytesPerSecond)
    case .goesOn(let bytes): console.say("Resuming an interrupted download at byte \(bytes)")
    case .waited: console.say("Loaded the photos of an earlier download")
    case .waitedInVain(let error): console.warn("Could not load an earlier download: \(error)")
    case .joined: console.say("Joined the download in progress")
    case .handlerCalled: console.say("All downloads have been processed: the completion handler was called")
    case .leftOut(let what): console.warn("Skipped: \(what)")
    case .placeFailed(let error): console.warn("Some regions are not known yet: \(error.sentence)")
    }
  }
}
