import FetchKit
import FetchKitTesting
import Foundation
import LarderTestSupport
import Testing

/// Unusual responses of Flickr, and how `Flickr` handles them: its exit code, its messages, and what is stored
/// afterwards.
@Suite struct FlickrReplayTests {
  private let flickr = Program(name: "Flickr")
  private let folder: TemporaryFolder
  private var store: String { folder.path("flickr.store") }

  init() throws {
    folder = try TemporaryFolder()
  }

  private typealias Report = FlickrTests.Report

  private struct Photo: Decodable, Equatable {
    let id, title, owner: String
    let latitude, longitude: Double?
    let region: String?
    let uploaded: Date?
  }

  private struct Region: Decodable, Equatable {
    let name: String
    let photos: Int
  }

  private func regions() async throws -> [Region] {
    try await flickr("regions", "--store", store, "--json").json()
  }

  private static func isPlace(_ request: LoopbackRequest) -> Bool { request.query("method") == "flickr.places.getInfo" }

  /// Four photos, all in one region.
  private static let four = Task {
    try await StoreSnapshot { folder in
      let server = try LoopbackServer()
      server.on("/") { .json(isPlace($0) ? PhotoResponses.place : PhotoResponses.page) }
      let output = try await Program(name: "Flickr")(
        "fetch", "--base-url", server.url.absoluteString, "--store", folder.path("flickr.store"))
      #expect(output.status == 0, "\(output.errors)")
    }
  }

  private func photos() async throws -> [Photo] {
    guard FileManager.default.fileExists(atPath: store) else { return [] }
    return try await flickr("photos", "--store", store, "--json").json()
  }

  private func fetch(_ url: String) async throws -> ChildProcess.Output {
    try await flickr("fetch", "--store", store, "--base-url", url)
  }

  // MARK: Pages

  private static func page(_ photos: String, total: String = "4") -> String {
    #"{"stat":"ok","photos":{"page":1,"pages":1,"perpage":250,"total":\#(total),"photo":[\#(photos)]}}"#
  }

  private static let full = UnusualResponse("the expected response", json: PhotoResponses.page)

  /// Responses that fail.
  static let failures =
    ReplayRow.neverAnAnswer.filter { $0.answer.name != UnusualResponse.html.status(403).name } + [
      ReplayRow(.html.status(403), exit: 1, says: "status 403"),
      ReplayRow(
        UnusualResponse("a failure", json: #"{"stat":"fail","code":100,"message":"Invalid API Key"}"#), exit: 1,
        says: "Flickr says: Invalid API Key (code 100)"),
      ReplayRow(
        UnusualResponse(
          "a failure whose code is text", json: #"{"stat":"fail","code":"105","message":"Come back later"}"#),
        exit: 1, says: "Flickr says: Come back later (code 105)"),
      ReplayRow(
        UnusualResponse("a failure without words", json: #"{"stat":"fail"}"#), exit: 1, says: "Flickr says"),
      ReplayRow(UnusualResponse("nothing but ok", json: #"{"stat":"ok"}"#), exit: 1, says: "['photos']"),
      ReplayRow(UnusualResponse("another method's answer", json: PhotoResponses.place), exit: 1, says: "['photos']"),
      ReplayRow(UnusualResponse("null for photos", json: #"{"stat":"ok","photos":null}"#), exit: 1, says: "['photos']"),
      ReplayRow(
        UnusualResponse("an object for photos", json: #"{"stat":"ok","photos":{"photo":{}}}"#), exit: 1,
        says: "['photo']"),
      ReplayRow(
        UnusualResponse("a number for stat", json: #"{"stat":1,"photos":{"photo":[]}}"#), exit: 1, says: "['stat']"),
      ReplayRow(
        UnusualResponse("only broken photos", json: page(#"{},null,5,{"id":"1"}"#)), exit: 1, says: "could not be"),
      ReplayRow(full.halved(), exit: 1, says: "not JSON"),
      ReplayRow(full.truncated(), exit: 1, says: "connection"),
      ReplayRow(UnusualResponse("204", .status(204)), exit: 1, says: "status 204"),
      ReplayRow(
        UnusualResponse(
          "an error with 401", json: #"{"stat":"fail","code":100,"message":"Invalid API Key"}"#, status: 401),
        exit: 1, says: "Invalid API Key (status 401)"),
      ReplayRow(
        UnusualResponse("429 always", .status(429, headers: ["Retry-After": "0"])), exit: 1, says: "status 429"),
      ReplayRow(
        UnusualResponse("500", .status(500, headers: ["Retry-After": "0"], "oops")), exit: 1, says: "status 500"),
    ]

  @Test(arguments: failures, [false, true])
  func `a fetch that fails on an unusual response loses nothing, and the next one works`(
    row: ReplayRow, hasPhotos: Bool
  ) async throws {
    if hasPhotos { try await Self.four.value.lay(in: folder) }
    let before = try await photos()
    let server = try ReplayServer(row.answer, at: "/", matching: { !Self.isPlace($0) }) { _ in
      .json(PhotoResponses.place)
    }
    let output = try await fetch(server.url)
    #expect(output.status == row.exit, "\(output)")
    #expect(row.isSaid(by: output), "\(output)")
    expectPlainWords(output, of: "Flickr")
    #expect(try await photos() == before)

    let healed = try ReplayServer(Self.full, at: "/", matching: { !Self.isPlace($0) }) { _ in
      .json(PhotoResponses.place)
    }
    let again = try await fetch(healed.url)
    #expect(again.status == 0, "\(again)")
    #expect(!again.errors.contains("could not"), "\(again)")
    #expect(try await photos().count == 4)
  }

  /// Responses that are read, and leave the four photos unchanged.
  static let readable = [
    ReplayRow(full, exit: 0, says: "0 new, 0 updated"), ReplayRow(full.dripping(), exit: 0, says: "0 new, 0 updated"),
    ReplayRow(full.afterWaiting(), exit: 0, says: "0 new, 0 updated"),
    ReplayRow(UnusualResponse("an empty page", json: page("")), exit: 0, says: "0 photos: 0 new"),
    ReplayRow(
      UnusualResponse("an empty page that promises a million photos", json: page("", total: "1000000")), exit: 0,
      says: "0 photos: 0 new"),
    ReplayRow(
      UnusualResponse(
        "only required fields", json: page(#"{"id":"1","owner":"7@N01","secret":"a","server":"5","title":"One"}"#)),
      exit: 0, says: "1 photo: 0 new, 0 updated"),
    ReplayRow(
      UnusualResponse(
        "null for optional fields",
        json: page(
          #"{"id":"1","owner":"7@N01","ownername":null,"secret":"a","server":"5","title":"One","dateupload":null,"#
            + #""latitude":null,"longitude":null,"place_id":null}"#)), exit: 0, says: "1 photo: 0 new, 0 updated"),
    ReplayRow(
      UnusualResponse(
        "empty strings for optional fields",
        json: page(
          #"{"id":"1","owner":"7@N01","ownername":"","secret":"a","server":"5","title":"One","place_id":""}"#)),
      exit: 0,
      says: "1 photo: 0 new, 0 updated"),
    ReplayRow(
      UnusualResponse(
        "a place that is not on the map",
        json: page(
          #"{"id":"1","owner":"7@N01","secret":"a","server":"5","title":"One","latitude":"1000","longitude":"nan"}"#)),
      exit: 0, says: "1 photo: 0 new, 0 updated"),
    impossibleDate("0"), impossibleDate(#""0""#), impossibleDate("-1"),
    impossibleDate("3000000000"), impossibleDate("1700000001000"),
    ReplayRow(
      UnusualResponse(
        "an empty title", json: page(#"{"id":"1","owner":"7@N01","secret":"a","server":"5","title":""}"#)),
      exit: 0, says: "1 photo: 0 new, 0 updated"),
    ReplayRow(
      UnusualResponse(
        "a blank title", json: page(#"{"id":"1","owner":"7@N01","secret":"a","server":"5","title":" \t"}"#)),
      exit: 0, says: "1 photo: 0 new, 0 updated"),
    ReplayRow(
      UnusualResponse(
        "the same photo again and again",
        json: page(
          [String](
            repeating: #"{"id":1,"owner":"7@N01","secret":"a","server":5,"title":"One"}"#, count: 3
          ).joined(separator: ","))), exit: 0, says: "3 photos: 0 new, 0 updated, 2 skipped"),
    ReplayRow(
      UnusualResponse(
        "a broken photo among others",
        json: page(#"{"id":"9"},{"id":"1","owner":"7@N01","secret":"a","server":"5","title":"One"}"#)),
      exit: 0, says: "2 photos: 0 new, 0 updated, 1 skipped"),
    ReplayRow(
      UnusualResponse(
        "a word for a date",
        json: page(#"{"id":"1","owner":"7@N01","secret":"a","server":"5","title":"One","dateupload":"soon"}"#)),
      exit: 1, says: "could not be"),
    ReplayRow(
      UnusualResponse(
        "NaN for a date",
        json: page(#"{"id":"1","owner":"7@N01","secret":"a","server":"5","title":"One","dateupload":"nan"}"#)),
      exit: 1, says: "could not be"),
  ]

  /// Before the first photo, or after tomorrow.
  private static func impossibleDate(_ seconds: String) -> ReplayRow {
    ReplayRow(
      UnusualResponse(
        "dateupload \(seconds)",
        json: page(#"{"id":"1","owner":"7@N01","secret":"a","server":"5","title":"One","dateupload":\#(seconds)}"#)),
      exit: 0, says: "1 photo: 0 new, 0 updated")
  }

  @Test(arguments: readable)
  func `a page with less data than is stored erases nothing`(row: ReplayRow) async throws {
    try await Self.four.value.lay(in: folder)
    let before = try await photos()
    #expect(before.count == 4 && before.allSatisfy { $0.region != nil && $0.uploaded != nil })
    let server = try ReplayServer(row.answer, at: "/", matching: { !Self.isPlace($0) }) { _ in
      .json(PhotoResponses.place)
    }
    let output = try await fetch(server.url)
    #expect(output.status == row.exit, "\(output)")
    #expect(row.isSaid(by: output), "\(output)")
    expectPlainWords(output, of: "Flickr")
    #expect(try await photos() == before)
  }

  @Test func `a title that is a number is read, and a new position is stored`() async throws {
    try await Self.four.value.lay(in: folder)
    let changed = #"{"id":1,"owner":"7@N01","secret":123,"server":5,"title":1917,"latitude":"1.5","longitude":2}"#
    let server = try ReplayServer(UnusualResponse("numbers", json: Self.page(changed)), at: "/")
    let output = try await fetch(server.url)
    #expect(output.text.contains("1 photo: 0 new, 1 updated"), "\(output)")
    let photo = try #require(try await photos().first { $0.id == "1" })
    #expect(photo.title == "1917" && photo.latitude == 1.5 && photo.longitude == 2 && photo.uploaded != nil)
  }

  @Test(arguments: ["0", #""0.000000""#])
  func `a photo whose position is hidden loses its place and region`(zero: String) async throws {
    try await Self.four.value.lay(in: folder)
    let hidden = #"{"id":1,"owner":"7@N01","secret":"a","server":5,"title":"One","latitude":\#(zero),"longitude":0}"#
    let server = try ReplayServer(UnusualResponse("hidden", json: Self.page(hidden)), at: "/")
    let output = try await fetch(server.url)
    #expect(output.text.contains("1 photo: 0 new, 1 updated"), "\(output)")
    let photo = try #require(try await photos().first { $0.id == "1" })
    #expect(photo.latitude == nil && photo.longitude == nil && photo.region == nil, "\(photo)")
    #expect(try await regions() == [Region(name: "Kyoto Prefecture", photos: 3), Region(name: "unknown", photos: 1)])
  }

  @Test func `unreadable data is kept as evidence and reported once`() async throws {
    let junk = "<html>Log in to the hotel's network</html>"
    let server = try ReplayServer(UnusualResponse("junk", .text(junk)), at: "/")
    let output = try await fetch(server.url)
    let path = try #require(output.errors.firstMatch(of: #/saved in (\S+?)\.?\n/#)?.1)
    #expect(try String(contentsOfFile: String(path), encoding: .utf8) == junk)
    let healed = try ReplayServer(Self.full, at: "/", matching: { !Self.isPlace($0) }) { _ in
      .json(PhotoResponses.place)
    }
    let again = try await fetch(healed.url)
    #expect(again.status == 0 && !again.errors.contains("saved in"), "\(again)")
  }

  @Test func `a page that can be neither read nor kept as evidence waits, and both causes are reported`() async throws {
    // Given a file where the folder for evidence should be
    let evidence = "\(store).unreadable"
    try Data().write(to: URL(filePath: evidence))
    let junk = "<html>Log in to the hotel's network</html>"
    let server = try ReplayServer(UnusualResponse("junk", .text(junk)), at: "/")
    // When a response is not a page, then both causes are reported
    let output = try await fetch(server.url)
    #expect(output.status == 1)
    #expect(output.errors.contains("not JSON") && output.errors.contains("cannot be created"), "\(output)")
    expectPlainWords(output, of: "Flickr")
    // And the page is still there for the next start
    try FileManager.default.removeItem(atPath: evidence)
    let healed = try ReplayServer(Self.full, at: "/", matching: { !Self.isPlace($0) }) { _ in
      .json(PhotoResponses.place)
    }
    let again = try await fetch(healed.url)
    #expect(again.status == 0, "\(again)")
    #expect(!again.text.contains("Loaded the photos"), "\(again)")
    let path = try #require(again.errors.firstMatch(of: #/saved in (\S+?)\.?\n/#)?.1)
    #expect(try String(contentsOfFile: String(path), encoding: .utf8) == junk)
    #expect(try await photos().count == 4)
  }

  @Test func `photos that an earlier run could not load do not stop the next fetch`() async throws {
    // Given a finished download, and a program that was killed before it had loaded it
    let gate = LoopbackGate()
    let slow = try ReplayServer(Self.full, at: "/", matching: { !Self.isPlace($0) }) { _ in
      .json(PhotoResponses.place).held(at: gate)
    }
    let child = try flickr.start(["fetch", "--store", store, "--base-url", slow.url])
    await slow.server.requests(atLeast: 2)
    child.signal(SIGKILL)
    _ = await child.output()
    gate.open()
    // When its file has been corrupted in the meantime
    let downloads = URL(filePath: "\(store).downloads")
    let files = FileManager.default.enumerator(at: downloads, includingPropertiesForKeys: nil)?.allObjects ?? []
    let page = try #require(
      try files.compactMap { $0 as? URL }.first { url in
        try url.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile == true
          && String(decoding: Data(contentsOf: url), as: UTF8.self).contains("dateupload")
      })
    try Data(#"{"stat":"ok"}"#.utf8).write(to: page)
    // Then the fetch reports that, and still fetches the photos
    let healed = try ReplayServer(Self.full, at: "/", matching: { !Self.isPlace($0) }) { _ in
      .json(PhotoResponses.place)
    }
    let output = try await fetch(healed.url)
    #expect(output.status == 0, "\(output)")
    #expect(output.errors.contains("saved in"), "\(output)")
    #expect(!output.text.contains("Loaded the photos"), "\(output)")
    #expect(try await photos().count == 4)
  }

  // MARK: Places

  /// Responses that do not name the place: its photos wait.
  static let silentPlaces = [
    UnusualResponse("nothing but ok", json: #"{"stat":"ok"}"#), UnusualResponse("{}", json: "{}"),
    UnusualResponse("null", json: "null"),
    UnusualResponse("[]", json: "[]"), .html, UnusualResponse("nothing", .status(200)),
    UnusualResponse("204", .status(204)),
    UnusualResponse("500", .status(500, headers: ["Retry-After": "0"])), UnusualResponse("403", .status(403)),
    UnusualResponse("a failure", json: #"{"stat":"fail","code":"105","message":"Come back later"}"#),
    UnusualResponse("a page of photos", json: PhotoResponses.page),
    UnusualResponse(
      "another place",
      json: #"{"stat":"ok","place":{"place_id":"p2","region":{"_content":"Wrong"},"country":{"_content":"Wrong"}}}"#),
    UnusualResponse("a text for the region", json: #"{"stat":"ok","place":{"place_id":"p1","region":"Kyoto"}}"#),
  ].map { ReplayRow($0, exit: 0, says: "4 new") }

  @Test(arguments: silentPlaces)
  func `photos whose place has an unusual response are kept, and shown after a better one`(row: ReplayRow)
    async throws
  {
    let server = try ReplayServer(row.answer, at: "/", matching: Self.isPlace) { _ in .json(PhotoResponses.page) }
    let output = try await fetch(server.url)
    #expect(output.status == row.exit, "\(output)")
    #expect(output.text.contains(row.says), "\(output)")
    expectPlainWords(output, of: "Flickr")
    #expect(try await photos() == [])
    try await expectPhotosInKyotoAfterTheNextFetch()
  }

  /// Responses that say that Flickr does not know the region.
  static let namelessPlaces = [
    UnusualResponse("code 2", json: #"{"stat":"fail","code":2,"message":"Not a valid Places ID"}"#),
    UnusualResponse("code 3 as text", json: #"{"stat":"fail","code":"3","message":"Place not found"}"#),
    UnusualResponse("no names", json: #"{"stat":"ok","place":{"place_id":"p1"}}"#),
    UnusualResponse(
      "empty names",
      json: #"{"stat":"ok","place":{"place_id":"p1","region":{"_content":" "},"country":{"_content":""}}}"#),
    UnusualResponse(
      "the name Unknown", json: #"{"stat":"ok","place":{"place_id":"p1","region":{"_content":"Unknown"}}}"#),
    UnusualResponse(
      "the names unknown and UNKNOWN",
      json:
        #"{"stat":"ok","place":{"place_id":"p1","region":{"_content":"unknown "},"country":{"_content":"UNKNOWN"}}}"#
    ),
  ].map { ReplayRow($0, exit: 0, says: "4 new") }

  @Test(arguments: namelessPlaces)
  func `photos whose place Flickr does not know are listed under unknown`(row: ReplayRow) async throws {
    let server = try ReplayServer(row.answer, at: "/", matching: Self.isPlace) { _ in .json(PhotoResponses.page) }
    let output = try await fetch(server.url)
    #expect(output.status == row.exit && output.errors == Self.leftOut, "\(output)")
    #expect(output.text.contains(row.says), "\(output)")

    #expect(try await photos().map(\.region) == [nil, nil, nil, nil])
    let list = try await flickr("photos", "--store", store)
    #expect(list.errors.isEmpty, "\(list)")
    #expect(try await flickr("photos", "--region", "Unknown", "--store", store, "--json").json([Photo].self).count == 4)
    #expect(try await regions() == [Region(name: "unknown", photos: 4)])
    struct Photographer: Decodable { let photos: Int }
    let people = try await flickr("photographers", "--store", store, "--json").json([Photographer].self)
    #expect(people.map(\.photos).sorted() == [1, 1, 2])

    try await expectPhotosInKyotoAfterTheNextFetch()
  }

  private static let leftOut = "Skipped: $['photos']['photo'][4]['secret']: missing\n"

  /// Fetches a page without photos: all photos shown afterwards were stored before, and the place was requested again.
  private func expectPhotosInKyotoAfterTheNextFetch() async throws {
    let empty = UnusualResponse("an empty page", json: Self.page(""))
    let healed = try ReplayServer(empty, at: "/", matching: { !Self.isPlace($0) }) { _ in .json(PhotoResponses.place) }
    let output = try await fetch(healed.url)
    #expect(output.status == 0, "\(output)")
    #expect(try await photos().map(\.region) == Array(repeating: "Kyoto Prefecture", count: 4))
    #expect(try await regions() == [Region(name: "Kyoto Prefecture", photos: 4)])
  }

  @Test func `waiting photos are counted only in the lists to which they may belong`() async throws {
    let server = try ReplayServer(
      UnusualResponse("a failure", json: #"{"stat":"fail","code":105,"message":"Come back later"}"#), at: "/",
      matching: Self.isPlace
    ) { _ in .json(PhotoResponses.page) }
    #expect(try await fetch(server.url).status == 0)
    for (filter, note) in [
      ([], "4 photos are hidden until their region is known\n"),
      (["--photographer", "Ada"], "3 photos are hidden until their region is known\n"),
      (["--photographer", "9@N01"], "1 photo is hidden until its region is known\n"),
      (["--photographer", "Grace"], ""), (["--region", "unknown"], ""), (["--region", "Kyoto Prefecture"], ""),
    ] {
      let output = try await flickr(["photos", "--store", store] + filter)
      #expect(output.errors == note, "\(filter) \(output)")
      let text = note.isEmpty ? "No matching photos" : "No photos to show yet"
      #expect(output.text.contains(text), "\(filter) \(output)")
    }
  }
}
