import ExampleReplicas
import ExampleSupport
import FetchKit
import Foundation

extension Flickr {
  static let demo = Command(
    "demo", "", "Runs the complete demo in a temporary folder",
    json: #"[{"name","popularity":n,"photos":n}]: the regions at the end"#,
    standsAlone: true
  ) { call in
    try await Story.tell("Where people take photos, and how an interrupted download resumes.", call.console) { story in
      try await FlickrStory(story: story).tell()
    }
  }
}

/// The steps of the demo. Each one is checked.
private struct FlickrStory {
  let story: Story

  func tell() async throws {
    let server = try ExampleServer(numbers: .seeded(1))
    let store = story.folder.appending(path: "flickr.store")
    let access = ServiceAccess(Flickr.service, replica: server)
    let library = try await PhotoLibrary(store: store)
    try await interrupt(library, store)
    try await goOn(library, store, access)
    try await fetchAgain(library, store, server, access)
    try await writePages(library, store, access)
    try await prune(library)
    try story.console.result(try await library.regions())
  }

  private func interrupt(_ library: PhotoLibrary, _ store: URL) async throws {
    story.step("A slow server: the download starts, a second start joins it, and it is interrupted partway")
    var faults = InjectedFaults()
    faults.bytesPerSecond = 100_000
    let server = try ExampleServer(numbers: .seeded(1), faults: faults)
    defer { server.stop() }
    let recent = try RecentPhotos(
      library: library, store: store, access: ServiceAccess(Flickr.service, replica: server))
    let first = try await recent.start()
    let second = try await recent.start()
    story.say("The first start: \(first). The second start: \(second).")
    try story.check(first == .started && second == .joined, "the second start did not join the first")
    let received = await recent.progressUntilSomeCame()
    await recent.close()
    story.say("Interrupted after \(ProgressLine.bytes(Double(received))).")
    let photos = try await library.photos()
    try story.check(photos.shown.isEmpty && photos.waiting == 0, "photos exist before the download has ended")
  }

  private func goOn(_ library: PhotoLibrary, _ store: URL, _ access: ServiceAccess) async throws {
    story.step("The next start resumes the download, loads the photos, and looks up their regions")
    let news = Lock<[RecentPhotos.News]>([])
    let report = try await fetch(library, store, access) { told in news.withLock { $0.append(told) } }
    story.say(FetchTeller.text(of: report))
    let kinds = news.withLock { $0 }
    let start = kinds.compactMap { if case .goesOn(let bytes) = $0 { bytes } else { nil } }.first
    try story.check(start ?? 0 > 0, "the download did not resume")
    try story.check(kinds.contains { if case .handlerCalled = $0 { true } else { false } }, "no handler was called")
    story.say("It resumed at byte \(start ?? 0), and the completion handler was called at the end.")
    let photos = try await library.photos()
    try story.check(report.new == photos.shown.count && photos.waiting == 0, "not every photo is shown")
    let known = photos.shown.count { $0.region != nil }
    try story.check(known > 0, "the regions were not looked up")
    story.say(
      "\(photos.shown.count.counted("photo")) shown, \(photos.shown.count - known) of them without a region: "
        + "they have no place, or the service does not know it.")
    let regions = try await library.regions()
    story.say(TextTable(regions: Array(regions.prefix(5))))
    let sorted = regions.sorted { ($1.popularity, $0.name) < ($0.popularity, $1.name) }
    try story.check(regions == sorted, "the regions are not in order")
  }

  private func fetchAgain(
    _ library: PhotoLibrary, _ store: URL, _ server: ExampleServer, _ access: ServiceAccess
  ) async throws {
    story.step(
      "A fetch finds nothing new until something changes. Later, it finds new photos and changed titles")
    let quiet = try await fetch(library, store, access)
    story.say(FetchTeller.text(of: quiet))
    try story.check(quiet.new == 0 && quiet.updated == 0, "something is new although nothing changed")
    for _ in 0..<10 { server.changeNumbers() }
    let later = try await fetch(library, store, access)
    story.say(FetchTeller.text(of: later))
    try story.check(later.new > 0 && later.updated > 0, "changes were not noticed")
  }

  private func writePages(_ library: PhotoLibrary, _ store: URL, _ access: ServiceAccess) async throws {
    story.step("A page of the most popular region, twice: the second time every picture comes from the cache")
    guard let region = try await library.regions().first else { throw Failure("there is no region") }
    let photos = try await library.photos(region: region.name).shown
    for isFirst in [true, false] {
      let gallery = try Gallery(
        out: story.folder.appending(path: "gallery").path, store: store, access: access, cacheLimit: 20_000_000)
      let report = try await gallery.write(photos) { _ in }
      story.say("\(region.name): \(report.fetched) pictures fetched, \(report.cached) from the cache")
      let right = isFirst ? report.fetched == photos.count : report.cached == photos.count
      try story.check(right && report.failed == 0, "the pictures came from the wrong source")
    }
  }

  private func prune(_ library: PhotoLibrary) async throws {
    story.step("The older half of the photos is removed")
    let dates = try await library.photos().shown.compactMap(\.uploaded)
    let middle = dates[dates.count / 2]
    let outcome = try await library.prune(before: middle)
    let left = try await library.photos().shown
    story.say("\(outcome.removed) removed, \(outcome.left) left in \(try await library.regions().count) regions")
    try story.check(
      outcome.removed > 0 && left.allSatisfy { $0.uploaded ?? .distantPast >= middle }, "old photos remain")
  }

  private func fetch(
    _ library: PhotoLibrary, _ store: URL, _ access: ServiceAccess,
    _ tell: @escaping @Sendable (RecentPhotos.News) -> Void = { _ in }
  ) async throws -> RecentPhotos.Report {
    let recent = try RecentPhotos(library: library, store: store, access: access)
    let report = try await recent.fetch(tell)
    await recent.close()
    return report
  }
}
