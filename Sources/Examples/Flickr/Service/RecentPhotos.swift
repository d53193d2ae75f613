import Decoding
import ExampleSupport
import FetchKit
import Foundation

/// Fetches the recent photos with a named download, of which only one runs at a time. The download continues after the
/// program is killed.
struct RecentPhotos: Sendable {
  static let downloadName = "Flickr Download Task to Download Recent Photos"
  /// Flickr's maximum page size for geotagged photos.
  static let count = 250

  /// The result of a fetch.
  struct Report: Encodable, Equatable, Sendable {
    var fetched = 0
    var new = 0
    var updated = 0
    var skipped = 0
  }

  /// The events reported during a fetch.
  enum News: Sendable {
    /// An earlier process's download continues at this byte.
    case goesOn(from: Int64)
    /// A file that was downloaded earlier has been loaded.
    case waited
    /// A file that was downloaded earlier cannot be loaded.
    case waitedInVain(NotLoaded)
    case joined
    case progress(DownloadProgress)
    case leftOut(String)
    case placeFailed(any Error)
    /// `handleEvents(forSession:completionHandler:)` has called its handler.
    case handlerCalled
  }

  let library: PhotoLibrary
  let access: ServiceAccess
  private let session: DownloadSession
  private let client: FetchClient
  private let evidence: Evidence
  private let words = ServiceWords()
  /// An event that could not be acknowledged. An open session delivers each event only once.
  private let unacknowledged = FetchKit.Lock<DownloadEvent?>(nil)

  /// - Throws: `DownloadSessionError`, for example if another program is fetching.
  init(library: PhotoLibrary, store: URL, access: ServiceAccess) throws {
    let client = FetchClient { [words] in
      $0.retry = .standard
      $0.monitors = [words]
      $0.redactedQueryItems = ["api_key"]
    }
    self.library = library
    self.access = access
    self.client = client
    evidence = Evidence(store: store)
    let folder = store.deletingLastPathComponent().appending(path: "\(store.lastPathComponent).downloads")
    session = try DownloadSession(identifier: "Flickr", directory: folder) { configuration in
      configuration.client = client
      // Pages are small, and on a slow connection every part is worth keeping.
      configuration.syncInterval = 16 << 10
      // The key is never written to disk, and the server's address may have changed since the download was started.
      configuration.provider = { _, _ in try Self.request(access).httpRequest() }
    }
  }

  /// Fetches and loads photos. Files of earlier downloads are loaded first.
  ///
  /// - Throws: `NotLoaded`, or `Failure` if the page cannot even be saved as evidence. The page then waits for the next
  ///   fetch.
  func fetch(_ tell: @escaping @Sendable (News) -> Void) async throws -> Report {
    let (calls, called) = AsyncStream.makeStream(of: Void.self)
    var report = Report()
    if let task = await session.task(named: Self.downloadName) {
      switch task.state {
      case .finished:
        do {
          try await loadNext(into: &report, tell)
          tell(.waited)
        } catch let error as NotLoaded {
          tell(.waitedInVain(error))
        }
      case .failed: break
      default: tell(.goesOn(from: task.receivedBytes))
      }
    }
    if try await session.start(Self.request(access), named: Self.downloadName) == .joined { tell(.joined) }
    session.handleEvents(forSession: session.identifier) { called.finish() }
    let progress = Task { [session] in
      for await progress in session.progress(of: Self.downloadName) { tell(.progress(progress)) }
    }
    let outcome = await Result.of { try await loadNext(into: &report, tell) }
    // No progress is reported after the end.
    progress.cancel()
    await progress.value
    try outcome.get()
    for await _ in calls {}
    tell(.handlerCalled)
    return report
  }

  /// Starts or joins the download, without waiting for it.
  func start() async throws(DownloadSessionError) -> DownloadSession.Start {
    try await session.start(Self.request(access), named: Self.downloadName)
  }

  /// Waits until some bytes have arrived, and returns their number.
  func progressUntilSomeCame() async -> Int64 {
    for await progress in session.progress(of: Self.downloadName) where progress.receivedBytes > 0 {
      return progress.receivedBytes
    }
    return 0
  }

  /// Stops the download. The bytes received so far remain available.
  func close() async {
    await session.close()
  }

  private static func request(_ access: ServiceAccess) -> FlickrMethod {
    FlickrMethod(method: .recentPhotos(count: count), access: access)
  }

  private func loadNext(into report: inout Report, _ tell: @Sendable (News) -> Void) async throws {
    guard let event = await nextEvent() else { return }
    do {
      try await load(event.result, into: &report, tell)
    } catch let error as NotLoaded {
      event.done()
      throw error
    } catch {
      unacknowledged.withLock { $0 = event }
      throw error
    }
    event.done()
  }

  private func nextEvent() async -> DownloadEvent? {
    let earlier = unacknowledged.withLock { event in
      defer { event = nil }
      return event
    }
    if let earlier { return earlier }
    for await event in session.events { return event }
    return nil
  }

  /// - Throws: `NotLoaded` if nothing was downloaded, or if the page was saved as evidence, because a page that is
  ///   rejected once may always be rejected and must not block the next page. Otherwise `Failure`.
  private func load(
    _ result: Result<DownloadedFile, DownloadError>, into report: inout Report, _ tell: @Sendable (News) -> Void
  ) async throws {
    let data: Data
    do {
      data = try Data(contentsOf: try result.get().url)
    } catch let failure as DownloadError {
      throw NotLoaded(words.completed(failure).sentence)
    } catch {
      throw NotLoaded(error.sentence)
    }
    do {
      try await load(try RecentAnswer(data), into: &report, tell)
    } catch let error as FlickrFailure {
      throw NotLoaded(error.sentence)
    } catch {
      throw NotLoaded("\(error.sentence); the page is saved in \(try keep(data, since: error).path)")
    }
  }

  private func keep(_ data: Data, since cause: any Error) throws(Failure) -> URL {
    do {
      return try evidence.keep(data)
    } catch {
      throw Failure("\(cause.sentence); the page stays pending until the next fetch, because \(error.sentence)")
    }
  }

  private func load(
    _ answer: RecentAnswer, into report: inout Report, _ tell: @Sendable (News) -> Void
  ) async throws {
    for drop in answer.drops { tell(.leftOut("\(drop)")) }
    let outcome = try await library.store(answer.photos)
    report.fetched += answer.count
    report.new += outcome.new
    report.updated += outcome.updated
    report.skipped += answer.count - answer.photos.count
    try await findRegions(tell)
  }

  /// Looks up all places with unknown regions, four at a time. Photos of places without an answer keep waiting.
  private func findRegions(_ tell: @Sendable (News) -> Void) async throws {
    let (client, access) = (client, access)
    let found = Regions()
    let report = await Refresh().run(listing: { try await library.placesWithoutRegion() }) { id in
      do {
        let place = try await client.fetch(
          FlickrMethod(method: .placeInfo(id: id), access: access), ExtractionStrategy<PlaceFacts>.flickr(at: "place"))
        guard place.placeID ?? id == id else {
          throw Failure("Flickr returned the place “\(place.placeID ?? "")” instead of \(id)")
        }
        await found.set(place.regionName, of: id)
        return .changed
      } catch FetchError.extraction(let cause as FlickrFailure, _) where cause.isUnknownPlace {
        await found.set(nil, of: id)
        return .unchanged
      }
    }
    try await library.setRegions(await found.names)
    if let error = report.listError { throw error }
    if let error = report.failures.first?.error { tell(.placeFailed(error)) }
  }

  private actor Regions {
    private(set) var names: [String: String?] = [:]

    func set(_ name: String?, of place: String) { names.updateValue(name, forKey: place) }
  }
}
