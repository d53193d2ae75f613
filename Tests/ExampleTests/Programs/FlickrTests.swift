import ExampleReplicas
import FetchKit
import FetchKitTesting
import Foundation
import LarderTestSupport
import Testing

/// `Flickr` as a user runs it: a child process, a real socket, a store on disk, and kills.
@Suite struct FlickrTests {
  private let flickr = Program(name: "Flickr")
  private let folder: TemporaryFolder
  private var store: String { folder.path("flickr.store") }

  init() throws {
    folder = try TemporaryFolder()
  }

  struct Report: Decodable, Equatable {
    let fetched, new, updated, skipped: Int
  }

  struct Photo: Decodable, Equatable {
    let id: String
    let title: String
    let owner: String
    let latitude: Double?
    let longitude: Double?
    let region: String?
    let uploaded: Date?
  }

  struct Region: Decodable, Equatable {
    let name: String
    let popularity, photos: Int
  }

  private func server(_ change: (inout InjectedFaults) -> Void = { _ in }) throws -> ExampleServer {
    var faults = InjectedFaults()
    change(&faults)
    return try ExampleServer(numbers: .seeded(1), faults: faults)
  }

  private func arguments(_ base: URL, _ arguments: [String]) -> [String] {
    arguments + ["--base-url", base.absoluteString, "--store", store]
  }

  private func run(_ base: URL, _ arguments: String...) async throws -> ChildProcess.Output {
    try await flickr(self.arguments(base, arguments), environment: ["FLICKR_API_KEY": "planted-secret"])
  }

  @Test func `the Flickr demo runs and every step passes`() async throws {
    let output = try await flickr("demo")
    #expect(output.status == 0, "\(output.errors)")
    #expect(output.text.hasSuffix("All checks passed.\n"))
  }

  @Test func `photos are fetched, and listed by region, photographer and time`() async throws {
    // Given fetched photos
    let base = try server()
    let fetched = try await run(base.photosURL, "fetch", "--json")
    let report = try fetched.json(Report.self)
    #expect(report.fetched == report.new)
    #expect(report.new > 200)
    #expect(!fetched.errors.contains("planted-secret"))

    // When they are listed
    let photos = try await run(base.photosURL, "photos", "--json").json([Photo].self)
    let regions = try await run(base.photosURL, "regions", "--json").json([Region].self)

    // Then the newest are first, and those whose place Flickr does not know are among them
    #expect(photos.count == report.new)
    #expect(photos.contains { $0.region == nil && $0.latitude != nil })
    let dates: [Date] = photos.compactMap(\.uploaded)
    #expect(dates.count == photos.count)
    #expect(dates == dates.sorted(by: >))
    #expect(photos.allSatisfy { $0.latitude != 0 })

    // And the popularity of a region is the number of its photographers
    let first = try #require(regions.first)
    let sorted = regions.sorted { a, b in
      a.popularity == b.popularity ? a.name < b.name : a.popularity > b.popularity
    }
    #expect(regions == sorted)
    let there = try await run(base.photosURL, "photos", "--region", first.name.uppercased(), "--json").json(
      [Photo].self)
    #expect(there == photos.filter { $0.region ?? "unknown" == first.name })
    #expect(first.photos == there.count)
    #expect(first.popularity <= there.count && first.popularity >= Set(there.map(\.owner)).count)

    // And photographers with the same name are distinct
    struct Photographer: Decodable { let id, name: String; let photos: Int }
    let people = try await run(base.photosURL, "photographers", "--json").json([Photographer].self)
    #expect(people.reduce(0) { $0 + $1.photos } == photos.count)
    #expect(Set(people.map(\.id)).count == people.count)
    #expect(Set(people.map(\.name)).count < people.count)
    let name = try #require(people.first?.name)
    let theirs = try await run(base.photosURL, "photos", "--photographer", name, "--json").json([Photo].self)
    #expect(theirs == photos.filter { $0.owner == name })
  }

  @Test func `fetching again finds new photos only when there are some`() async throws {
    let server = try server()
    let first = try await run(server.photosURL, "fetch", "--json").json(Report.self)
    let again = try await run(server.photosURL, "fetch", "--json").json(Report.self)
    #expect(again == Report(fetched: first.fetched, new: 0, updated: 0, skipped: 0))
    for _ in 0..<10 { server.changeNumbers() }
    let later = try await run(server.photosURL, "fetch", "--json").json(Report.self)
    #expect(later.new > 0 && later.updated > 0)
  }

  @Test func `after a kill during a download the next start resumes it`() async throws {
    // Given a program that is killed in the middle of its download
    let slow = try server { $0.bytesPerSecond = 60_000 }
    let child = try flickr.start(arguments(slow.photosURL, ["fetch"]))
    let parts = URL(filePath: "\(store).downloads/Flickr/Parts")
    try await until("bytes are on disk") {
      try FileManager.default.fileExists(atPath: parts.path)
        && FileManager.default.contentsOfDirectory(at: parts, includingPropertiesForKeys: nil)
          .contains { try Data(contentsOf: $0).count > 4000 }
    }
    child.signal(SIGKILL)
    #expect(await child.output().status == -SIGKILL)

    // When it is started again, with the server on another port
    let quick = try server()
    let output = try await run(quick.photosURL, "fetch")

    // Then the download resumes, everything is loaded, and the handler is called
    #expect(output.status == 0, "\(output.errors)")
    #expect(output.text.contains("Resuming an interrupted download at byte "))
    #expect(output.text.contains("Joined the download in progress"))
    #expect(output.text.contains("the completion handler was called"))
    #expect(output.text.contains(" new, 0 updated, 0 skipped"))
    #expect(try await run(quick.photosURL, "photos", "--json").json([Photo].self).count > 200)
    #expect(try await run(quick.photosURL, "fetch").text.contains("Resuming") == false)
  }

  @Test func `after a kill before a download is processed its event waits for the next start`() async throws {
    // Given a program that is killed while it requests the places
    let gate = LoopbackGate()
    let server = try photoServer(PhotoResponses.page) { .json(PhotoResponses.place).held(at: gate) }
    let child = try flickr.start(arguments(server.url, ["fetch"]))
    await server.requests(atLeast: 2)
    child.signal(SIGKILL)
    _ = await child.output()
    gate.open()

    // When it is started again
    let output = try await run(server.url, "fetch", "--json")

    // Then the photos that had waited are loaded, and the new download as well
    #expect(output.status == 0, "\(output.errors)")
    #expect(try output.json(Report.self).fetched == 2 * PhotoResponses.count)
    let photos = try await run(server.url, "photos", "--json").json([Photo].self)
    #expect(photos.count == 4 && photos.allSatisfy { $0.region == "Kyoto Prefecture" })
    let quiet = try await run(server.url, "fetch")
    #expect(!quiet.text.contains("Loaded the photos"))
  }

  @Test func `a second program does not disturb the first`() async throws {
    let gate = LoopbackGate()
    let server = try photoServer(PhotoResponses.page) { .json(PhotoResponses.place).held(at: gate) }
    let child = try flickr.start(arguments(server.url, ["fetch", "--json"]))
    await server.requests(atLeast: 2)
    let second = try await run(server.url, "fetch")
    #expect(second.status == 1)
    #expect(second.errors.contains("already open"))
    gate.open()
    #expect(try await child.output().json(Report.self).new == 4)
  }

  @Test func `positions are read from numbers and strings, and unreadable photos are skipped and reported`()
    async throws
  {
    let server = try photoServer(PhotoResponses.page) { .json(PhotoResponses.place) }
    let output = try await run(server.url, "fetch", "--json")
    #expect(try output.json(Report.self) == Report(fetched: PhotoResponses.count, new: 4, updated: 0, skipped: 2))
    #expect(output.errors.contains("Skipped: $['photos']['photo'][4]['secret']: missing"))
    let photos = try await run(server.url, "photos", "--json").json([Photo].self)
    let latitudes = Dictionary(uniqueKeysWithValues: photos.map { ($0.id, $0.latitude) })
    #expect(latitudes == ["1": 35.5, "2": -33.25, "3": nil, "4": nil])
    let text = try await run(server.url, "photos").text
    #expect(text.contains("(untitled)"))
  }

  @Test func `a Flickr failure with status 200 is an error`() async throws {
    let failure = #"{"stat":"fail","code":100,"message":"Invalid API Key (Key has invalid format)"}"#
    let server = try photoServer(failure) { .json(PhotoResponses.place) }
    for _ in 1...2 {
      let output = try await run(server.url, "fetch")
      #expect(output.status == 1)
      #expect(output.errors == "Flickr: Flickr says: Invalid API Key (Key has invalid format) (code 100)\n")
    }
    let healed = try photoServer(PhotoResponses.page) { .json(PhotoResponses.place) }
    #expect(try await run(healed.url, "fetch").status == 0)
  }

  @Test func `photos without a place are listed, and counted as a separate region`() async throws {
    let page = PhotoResponses.page.replacing(#","place_id":"p1""#, with: "")
    let server = try photoServer(page) { .json(PhotoResponses.place) }
    #expect(try await run(server.url, "fetch").text.contains("6 photos: 4 new, "))
    #expect(try await run(server.url, "photos", "--json").json([Photo].self).map(\.region) == [nil, nil, nil, nil])
    let text = try await run(server.url, "photos")
    #expect(text.text.contains("One         Ada") && text.text.contains("unknown") && text.errors.isEmpty, "\(text)")
    let regions = try await run(server.url, "regions", "--json").json([Region].self)
    #expect(regions == [Region(name: "unknown", popularity: 3, photos: 4)])
    #expect(try await run(server.url, "photos", "--region", "Unknown", "--json").json([Photo].self).count == 4)
    struct Photographer: Decodable { let photos: Int }
    let people = try await run(server.url, "photographers", "--json").json([Photographer].self)
    #expect(people.map(\.photos).sorted() == [1, 1, 2])
    // And a place that becomes known later is stored
    let later = try photoServer(PhotoResponses.page) { .json(PhotoResponses.place) }
    #expect(try await run(later.url, "fetch", "--json").json(Report.self).new == 0)
    let known = try await run(later.url, "regions", "--json").json([Region].self)
    #expect(known == [Region(name: "Kyoto Prefecture", popularity: 3, photos: 4)])
  }

  @Test func `a failed place request is reported in Flickr's words, and its photos are kept`() async throws {
    let server = try photoServer(PhotoResponses.page) {
      .json(#"{"stat":"fail","code":105,"message":"Come back later"}"#)
    }
    let output = try await run(server.url, "fetch")
    #expect(output.status == 0)
    #expect(output.errors.contains("Some regions are not known yet: Flickr says: Come back later (code 105)\n"))
    #expect(try await run(server.url, "photos").errors.contains("4 photos are hidden until their region is known"))
  }

  @Test func `an unreachable server is one line of error, and the next start succeeds`() async throws {
    let server = try photoServer(PhotoResponses.page) { .json(PhotoResponses.place) }
    let base = server.url
    server.stop()
    let output = try await run(base, "fetch")
    #expect(output.status == 1)
    #expect(output.errors.hasPrefix("Flickr: the connection failed: "))
    #expect(output.errors.split(separator: "\n").count == 1)
    let healed = try photoServer(PhotoResponses.page) { .json(PhotoResponses.place) }
    #expect(try await run(healed.url, "fetch", "--json").json(Report.self).new == 4)
  }

  @Test func `old photos are pruned, and photographers without photos too`() async throws {
    let server = try server()
    _ = try await run(server.photosURL, "fetch")
    let photos = try await run(server.photosURL, "photos", "--json").json([Photo].self)
    let dates = photos.compactMap(\.uploaded)
    let middle = dates[dates.count / 2]
    let days = -middle.timeIntervalSinceNow / 86400 - 0.0001
    struct Pruned: Decodable { let removed, left: Int }
    let pruned = try await run(server.photosURL, "prune", "--older-than", "\(days)", "--json").json(Pruned.self)
    let left = try await run(server.photosURL, "photos", "--json").json([Photo].self)
    #expect(pruned.removed > 80 && pruned.left > 80)
    #expect(left.count < photos.count)
    #expect(left.allSatisfy { $0.uploaded ?? .distantPast > middle })
    let none = try await run(server.photosURL, "prune", "--older-than", "0.0001", "--json").json(Pruned.self)
    #expect(none.left == 0)
    #expect(try await run(server.photosURL, "regions", "--json").text == "[]\n")
    #expect(try await run(server.photosURL, "photographers", "--json").text == "[]\n")
  }

  @Test func `the gallery loads only its own images and escapes titles`() async throws {
    struct Gallery: Decodable { let page: String; let photos, fetched, cached, failed: Int }
    let server = try server()
    _ = try await run(server.photosURL, "fetch")
    let out = folder.path("gallery")
    let photos = try await run(server.photosURL, "photos", "--region", "England", "--json").json([Photo].self)
    let first = try await run(server.photosURL, "gallery", "--out", out, "--region", "England", "--json").json(
      Gallery.self)
    #expect((first.photos, first.fetched, first.cached, first.failed) == (photos.count, photos.count, 0, 0))
    let page = try String(contentsOfFile: first.page, encoding: .utf8)
    #expect(!page.contains("<script") && !page.contains("<b>bold</b>") && !page.contains("http://"))
    #expect(page.contains("default-src 'none'"))
    #expect(page.components(separatedBy: "<circle").count - 1 == 2 * photos.filter { $0.latitude != nil }.count)
    for part in page.components(separatedBy: "<img src=\"").dropFirst() {
      let file = URL(filePath: out).appending(path: String(part.prefix { $0 != "\"" }))
      #expect(try Data(contentsOf: file).prefix(2) == Data([0xFF, 0xD8]))
    }

    let again = try await run(server.photosURL, "gallery", "--out", out, "--region", "England", "--json").json(
      Gallery.self)
    #expect((again.fetched, again.cached) == (0, photos.count))
    let small = try await run(
      server.photosURL, "gallery", "--out", folder.path("all"), "--cache-size", "0.02", "--json"
    ).json(Gallery.self)
    #expect(small.failed == 0)
    let kept = try FileManager.default.contentsOfDirectory(
      at: URL(filePath: "\(store).thumbnails"), includingPropertiesForKeys: [.fileSizeKey])
    #expect(try kept.reduce(0) { $0 + (try $1.resourceValues(forKeys: [.fileSizeKey]).fileSize ?? 0) } <= 20_000)
  }

  @Test func `no progress is drawn below the error of a gallery that cannot be written`() async throws {
    let server = try server()
    _ = try await run(server.photosURL, "fetch")
    let out = folder.path("gallery")
    try FileManager.default.createDirectory(atPath: "\(out)/index.html", withIntermediateDirectories: true)
    let program = try TerminalProgram(
      "Flickr", arguments(server.photosURL, ["gallery", "--out", out, "--region", "England"]))
    let output = await program.output()
    #expect(output.exit == .code(1), "\(output.text)")
    #expect(output.text.contains("Pictures ["), "\(output.text)")
    let error = try #require(output.text.range(of: "cannot be written"), "\(output.text)")
    #expect(!output.text[error.upperBound...].contains("Pictures"), "\(output.text)")
  }

  @Test func `fetch --every repeats until it is interrupted`() async throws {
    let server = try server()
    let child = try flickr.start(arguments(server.photosURL, ["fetch", "--every", "0.0005", "--json"]))
    for _ in 1...2 { try await child.line(with: "fetched") }
    child.signal(SIGINT)
    let output = await child.output()
    #expect(output.status == -SIGINT)
    #expect(try output.jsonLines(Report.self).first?.new ?? 0 > 200)
    #expect(try await run(server.photosURL, "photos", "--json").json([Photo].self).count > 200)
  }

  @Test(
    .enabled(if: Fixtures.has("flickr"), "no recorded responses of Flickr"),
    arguments: [
      ("getRecent-100-extras-geo", 100), ("search-geo-radius-12-2009", 12), ("search-licensed-20-open-ledger", 20),
      ("getWithoutGeoData-extras", 1), ("search-geo-radius-no-results", 0),
    ])
  func `all recorded photos are read`(name: String, count: Int) async throws {
    let body = try String(contentsOf: Fixtures.folder.appending(path: "flickr/\(name).json"), encoding: .utf8)
    let server = try photoServer(body) { .json(PhotoResponses.place) }
    let report = try await run(server.url, "fetch", "--json").json(Report.self)
    #expect(report == Report(fetched: count, new: count, updated: 0, skipped: 0))
  }

  @Test(arguments: [
    (["fetch", "--every", "-1"], "--every needs a number"), (["prune"], "--older-than DAYS"),
    (["gallery"], "--out DIR"), (["fetch", "--live"], "FLICKR_API_KEY"),
    (["photos", "Kyoto"], "photos accepts no arguments"),
  ])
  func `a wrong Flickr command line exits with code 2 and says what is wrong`(line: [String], named: String)
    async throws
  {
    let output = try await flickr(line, environment: ["FLICKR_API_KEY": ""])
    #expect(output.status == 2)
    #expect(output.errors.contains(named))
  }

  private func photoServer(
    _ page: String, place: @escaping @Sendable () -> LoopbackResponse
  ) throws -> LoopbackServer {
    let server = try LoopbackServer()
    server.on(.get, "/") { request in
      request.query("method") == "flickr.places.getInfo" ? place() : .json(page)
    }
    return server
  }

  /// Polls the condition: a child's files on disk send no events.
  private func until(_ what: String, _ holds: () throws -> Bool) async throws {
    let end = ContinuousClock.now + .seconds(30)
    while try !holds() {
      try #require(ContinuousClock.now < end, "waited in vain until \(what)")
      try await Task.sleep(for: .milliseconds(2))
    }
  }
}

/// A handwritten page: a number and a string for positions, two ways to have none, one photo without its secret and one
/// that is listed twice.
enum PhotoResponses {
  static let count = 6
  static let page = """
    {"stat":"ok","photos":{"page":1,"pages":1,"perpage":250,"total":"6","photo":[
     {"id":"1","owner":"7@N01","ownername":"Ada","secret":"a","server":"5","farm":1,"title":"One","dateupload":"1700000001",
      "latitude":35.5,"longitude":135.75,"accuracy":"16","place_id":"p1"},
     {"id":2,"owner":"7@N01","ownername":"Ada","secret":"b","server":5,"farm":1,"title":"","dateupload":1700000002,
      "latitude":"-33.25","longitude":"18.5","accuracy":16,"place_id":"p1"},
     {"id":"3","owner":"8@N01","ownername":"Ada","secret":"c","server":"5","farm":1,"title":"Three","dateupload":"1700000003",
      "latitude":0,"longitude":0,"accuracy":0,"place_id":"p1"},
     {"id":"4","owner":"9@N01","secret":"d","server":"5","farm":1,"title":"Four","dateupload":"1700000004",
      "latitude":"0.000000","longitude":"0.000000","accuracy":0,"place_id":"p1"},
     {"id":"5","owner":"9@N01","server":"5","farm":1,"title":"Five","dateupload":"1700000005"},
     {"id":"1","owner":"7@N01","ownername":"Ada","secret":"a","server":"5","farm":1,"title":"One","dateupload":"1700000001",
      "latitude":35.5,"longitude":135.75,"accuracy":"16","place_id":"p1"}]}}
    """
  static let place = """
    {"stat":"ok","place":{"place_id":"p1","region":{"_content":"Kyoto Prefecture"},"country":{"_content":"Japan"}}}
    """
}
