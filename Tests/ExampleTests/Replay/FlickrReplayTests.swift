import FetchKit
import FetchKitTesting
import Foundation
import TestSupport
import Testing

/// Odd answers of Flickr, and what `Flickr` makes of them: how it ends, what it says, what is stored afterwards.
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
    try await StoredBefore { folder in
      let server = try LoopbackServer()
      server.on("/") { .json(isPlace($0) ? PhotoAnswers.place : PhotoAnswers.page) }
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

  private static let full = OddAnswer("what was asked for", json: PhotoAnswers.page)

  /// Those that fail.
  static let failures =
    ReplayRow.neverAnAnswer.filter { $0.answer.name != OddAnswer.html.status(403).name } + [
      ReplayRow(.html.status(403), exit: 1, says: "status 403"),
      ReplayRow(
        OddAnswer("a failure", json: #"{"stat":"fail","code":100,"message":"Invalid API Key"}"#), exit: 1,
        says: "Flickr says: Invalid API Key (code 100)"),
      ReplayRow(
        OddAnswer("a failure whose code is text", json: #"{"stat":"fail","code":"105","message":"Come back later"}"#),
        exit: 1, says: "Flickr says: Come back later (code 105)"),
      ReplayRow(
        OddAnswer("a failure without words", json: #"{"stat":"fail"}"#), exit: 1, says: "Flickr says"),
      ReplayRow(OddAnswer("nothing but ok", json: #"{"stat":"ok"}"#), exit: 1, says: "['photos']"),
      ReplayRow(OddAnswer("another method's answer", json: PhotoAnswers.place), exit: 1, says: "['photos']"),
      ReplayRow(OddAnswer("null for photos", json: #"{"stat":"ok","photos":null}"#), exit: 1, says: "['photos']"),
      ReplayRow(
        OddAnswer("an object for photos", json: #"{"stat":"ok","photos":{"photo":{}}}"#), exit: 1, says: "['photo']"),
      ReplayRow(OddAnswer("a number for stat", json: #"{"stat":1,"photos":{"photo":[]}}"#), exit: 1, says: "['stat']"),
      ReplayRow(OddAnswer("only broken photos", json: page(#"{},null,5,{"id":"1"}"#)), exit: 1, says: "could not be"),
      ReplayRow(full.halved(), exit: 1, says: "not JSON"),
      ReplayRow(full.truncated(), exit: 1, says: "connection"),
      ReplayRow(OddAnswer("204", .status(204)), exit: 1, says: "status 204"),
      ReplayRow(
        OddAnswer("an error with 401", json: #"{"stat":"fail","code":100,"message":"Invalid API Key"}"#, status: 401),
        exit: 1, says: "Invalid API Key (status 401)"),
      ReplayRow(
        OddAnswer("429 always", .status(429, headers: ["Retry-After": "0"])), exit: 1, says: "status 429"),
      ReplayRow(OddAnswer("500", .status(500, headers: ["Retry-After": "0"], "oops")), exit: 1, says: "status 500"),
    ]

  @Test(arguments: failures, [false, true])
  func `a fetch that fails by an odd answer loses nothing, and the next one works`(
    row: ReplayRow, hasPhotos: Bool
  ) async throws {
    if hasPhotos { try await Self.four.value.lay(in: folder) }
    let before = try await photos()
    let server = try ReplayServer(row.answer, at: "/", matching: { !Self.isPlace($0) }) { _ in .json(PhotoAnswers.place)
    }
    let output = try await fetch(server.url)
    #expect(output.status == row.exit, "\(output)")
    #expect(row.isSaid(by: output), "\(output)")
    expectPlainWords(output, of: "Flickr")
    #expect(try await photos() == before)

    let healed = try ReplayServer(Self.full, at: "/", matching: { !Self.isPlace($0) }) { _ in .json(PhotoAnswers.place)
    }
    let again = try await fetch(healed.url)
    #expect(again.status == 0, "\(again)")
    #expect(!again.errors.contains("could not"), "\(again)")
    #expect(try await photos().count == 4)
  }

  /// Those that are read, and leave the four photos as they are.
  static let readable = [
    ReplayRow(full, exit: 0, says: "0 new, 0 updated"), ReplayRow(full.dripping(), exit: 0, says: "0 new, 0 updated"),
    ReplayRow(full.afterWaiting(), exit: 0, says: "0 new, 0 updated"),
    ReplayRow(OddAnswer("an empty page", json: page("")), exit: 0, says: "0 photos: 0 new"),
    ReplayRow(
      OddAnswer("an empty page that promises a million photos", json: page("", total: "1000000")), exit: 0,
      says: "0 photos: 0 new"),
    ReplayRow(
      OddAnswer(
        "only what must be there", json: page(#"{"id":"1","owner":"7@N01","secret":"a","server":"5","title":"One"}"#)),
      exit: 0, says: "1 photo: 0 new, 0 updated"),
    ReplayRow(
      OddAnswer(
        "null for what may be missing",
        json: page(
          #"{"id":"1","owner":"7@N01","ownername":null,"secret":"a","server":"5","title":"One","dateupload":null,"#
            + #""latitude":null,"longitude":null,"place_id":null}"#)), exit: 0, says: "1 photo: 0 new, 0 updated"),
    ReplayRow(
      OddAnswer(
        "empty text for what may be missing",
        json: page(
          #"{"id":"1","owner":"7@N01","ownername":"","secret":"a","server":"5","title":"One","place_id":""}"#)),
      exit: 0,
      says: "1 photo: 0 new, 0 updated"),
    ReplayRow(
      OddAnswer(
        "a place that is not on the map",
        json: page(
          #"{"id":"1","owner":"7@N01","secret":"a","server":"5","title":"One","latitude":"1000","longitude":"nan"}"#)),
      exit: 0, says: "1 photo: 0 new, 0 updated"),
    impossibleDate("0"), impossibleDate(#""0""#), impossibleDate("-1"), impossibleDate(#""nan""#),
    impossibleDate("3000000000"), impossibleDate("1700000001000"),
    ReplayRow(
      OddAnswer("an empty title", json: page(#"{"id":"1","owner":"7@N01","secret":"a","server":"5","title":""}"#)),
      exit: 0, says: "1 photo: 0 new, 0 updated"),
    ReplayRow(
      OddAnswer("a blank title", json: page(#"{"id":"1","owner":"7@N01","secret":"a","server":"5","title":" \t"}"#)),
      exit: 0, says: "1 photo: 0 new, 0 updated"),
    ReplayRow(
      OddAnswer(
        "the same photo again and again",
        json: page(
          [String](
            repeating: #"{"id":1,"owner":"7@N01","secret":"a","server":5,"title":"One"}"#, count: 3
          ).joined(separator: ","))), exit: 0, says: "3 photos: 0 new, 0 updated, 2 left out"),
    ReplayRow(
      OddAnswer(
        "a broken photo among others",
        json: page(#"{"id":"9"},{"id":"1","owner":"7@N01","secret":"a","server":"5","title":"One"}"#)),
      exit: 0, says: "2 photos: 0 new, 0 updated, 1 left out"),
    ReplayRow(
      OddAnswer(
        "a word for a date",
        json: page(#"{"id":"1","owner":"7@N01","secret":"a","server":"5","title":"One","dateupload":"soon"}"#)),
      exit: 1, says: "could not be"),
  ]

  /// Before the first photo, or after tomorrow.
  private static func impossibleDate(_ seconds: String) -> ReplayRow {
    ReplayRow(
      OddAnswer(
        "dateupload \(seconds)",
        json: page(#"{"id":"1","owner":"7@N01","secret":"a","server":"5","title":"One","dateupload":\#(seconds)}"#)),
      exit: 0, says: "1 photo: 0 new, 0 updated")
  }

  @Test(arguments: readable)
  func `a page that says less than is known erases nothing`(row: ReplayRow) async throws {
    try await Self.four.value.lay(in: folder)
    let before = try await photos()
    #expect(before.count == 4 && before.allSatisfy { $0.region != nil && $0.uploaded != nil })
    let server = try ReplayServer(row.answer, at: "/", matching: { !Self.isPlace($0) }) { _ in .json(PhotoAnswers.place)
    }
    let output = try await fetch(server.url)
    #expect(output.status == row.exit, "\(output)")
    #expect(row.isSaid(by: output), "\(output)")
    expectPlainWords(output, of: "Flickr")
    #expect(try await photos() == before)
  }

  @Test func `a title that is a number is a title, and a new position is stored`() async throws {
    try await Self.four.value.lay(in: folder)
    let changed = #"{"id":1,"owner":"7@N01","secret":123,"server":5,"title":1917,"latitude":"1.5","longitude":2}"#
    let server = try ReplayServer(OddAnswer("numbers", json: Self.page(changed)), at: "/")
    let output = try await fetch(server.url)
    #expect(output.text.contains("1 photo: 0 new, 1 updated"), "\(output)")
    let photo = try #require(try await photos().first { $0.id == "1" })
    #expect(photo.title == "1917" && photo.latitude == 1.5 && photo.longitude == 2 && photo.uploaded != nil)
  }

  @Test(arguments: ["0", #""0.000000""#])
  func `a photo whose position is hidden loses its place and region`(zero: String) async throws {
    try await Self.four.value.lay(in: folder)
    let hidden = #"{"id":1,"owner":"7@N01","secret":"a","server":5,"title":"One","latitude":\#(zero),"longitude":0}"#
    let server = try ReplayServer(OddAnswer("hidden", json: Self.page(hidden)), at: "/")
    let output = try await fetch(server.url)
    #expect(output.text.contains("1 photo: 0 new, 1 updated"), "\(output)")
    let photo = try #require(try await photos().first { $0.id == "1" })
    #expect(photo.latitude == nil && photo.longitude == nil && photo.region == nil, "\(photo)")
    #expect(try await regions() == [Region(name: "Kyoto Prefecture", photos: 3), Region(name: "unknown", photos: 1)])
  }

  @Test func `what cannot be read is kept as evidence, and said once`() async throws {
    let junk = "<html>Log in to the hotel's network</html>"
    let server = try ReplayServer(OddAnswer("junk", .text(junk)), at: "/")
    let output = try await fetch(server.url)
    let path = try #require(output.errors.firstMatch(of: #/kept in (\S+?)\.?\n/#)?.1)
    #expect(try String(contentsOfFile: String(path), encoding: .utf8) == junk)
    let healed = try ReplayServer(Self.full, at: "/", matching: { !Self.isPlace($0) }) { _ in .json(PhotoAnswers.place)
    }
    let again = try await fetch(healed.url)
    #expect(again.status == 0 && !again.errors.contains("kept in"), "\(again)")
  }

  @Test func `a page that can neither be read nor kept as evidence waits, and both causes are said`() async throws {
    // Given a file where the folder for evidence should be
    let evidence = "\(store).unreadable"
    try Data().write(to: URL(filePath: evidence))
    let junk = "<html>Log in to the hotel's network</html>"
    let server = try ReplayServer(OddAnswer("junk", .text(junk)), at: "/")
    // When a page is not a page, then both are said
    let output = try await fetch(server.url)
    #expect(output.status == 1)
    #expect(output.errors.contains("not JSON") && output.errors.contains("cannot be made"), "\(output)")
    expectPlainWords(output, of: "Flickr")
    // And the page is still there for the next start
    try FileManager.default.removeItem(atPath: evidence)
    let healed = try ReplayServer(Self.full, at: "/", matching: { !Self.isPlace($0) }) { _ in .json(PhotoAnswers.place)
    }
    let again = try await fetch(healed.url)
    #expect(again.status == 0, "\(again)")
    #expect(!again.text.contains("are loaded"), "\(again)")
    let path = try #require(again.errors.firstMatch(of: #/kept in (\S+?)\.?\n/#)?.1)
    #expect(try String(contentsOfFile: String(path), encoding: .utf8) == junk)
    #expect(try await photos().count == 4)
  }

  @Test func `what an earlier program could not load does not stop the next fetch`() async throws {
    // Given a download that ended, and a program that was killed before it had loaded it
    let gate = LoopbackGate()
    let slow = try ReplayServer(Self.full, at: "/", matching: { !Self.isPlace($0) }) { _ in
      .json(PhotoAnswers.place).held(at: gate)
    }
    let child = try flickr.start(["fetch", "--store", store, "--base-url", slow.url])
    await slow.server.requests(atLeast: 2)
    child.signal(SIGKILL)
    _ = await child.output()
    gate.open()
    // When its file has been damaged in the meantime
    let downloads = URL(filePath: "\(store).downloads")
    let files = FileManager.default.enumerator(at: downloads, includingPropertiesForKeys: nil)?.allObjects ?? []
    let page = try #require(
      try files.compactMap { $0 as? URL }.first { url in
        try url.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile == true
          && String(decoding: Data(contentsOf: url), as: UTF8.self).contains("dateupload")
      })
    try Data(#"{"stat":"ok"}"#.utf8).write(to: page)
    // Then the fetch says so, and gets the photos all the same
    let healed = try ReplayServer(Self.full, at: "/", matching: { !Self.isPlace($0) }) { _ in .json(PhotoAnswers.place)
    }
    let output = try await fetch(healed.url)
    #expect(output.status == 0, "\(output)")
    #expect(output.errors.contains("kept in"), "\(output)")
    #expect(!output.text.contains("An earlier download had ended"), "\(output)")
    #expect(try await photos().count == 4)
  }

  // MARK: Places

  /// Answers that say nothing about the place: its photos wait.
  static let silentPlaces = [
    OddAnswer("nothing but ok", json: #"{"stat":"ok"}"#), OddAnswer("{}", json: "{}"), OddAnswer("null", json: "null"),
    OddAnswer("[]", json: "[]"), .html, OddAnswer("nothing", .status(200)), OddAnswer("204", .status(204)),
    OddAnswer("500", .status(500, headers: ["Retry-After": "0"])), OddAnswer("403", .status(403)),
    OddAnswer("a failure", json: #"{"stat":"fail","code":"105","message":"Come back later"}"#),
    OddAnswer("a page of photos", json: PhotoAnswers.page),
    OddAnswer(
      "another place",
      json: #"{"stat":"ok","place":{"place_id":"p2","region":{"_content":"Wrong"},"country":{"_content":"Wrong"}}}"#),
    OddAnswer("a text for the region", json: #"{"stat":"ok","place":{"place_id":"p1","region":"Kyoto"}}"#),
  ].map { ReplayRow($0, exit: 0, says: "4 new") }

  @Test(arguments: silentPlaces)
  func `photos whose place has an odd answer are kept, and shown once there is a better one`(row: ReplayRow)
    async throws
  {
    let server = try ReplayServer(row.answer, at: "/", matching: Self.isPlace) { _ in .json(PhotoAnswers.page) }
    let output = try await fetch(server.url)
    #expect(output.status == row.exit, "\(output)")
    #expect(output.text.contains(row.says), "\(output)")
    expectPlainWords(output, of: "Flickr")
    #expect(try await photos() == [])
    try await expectPhotosInKyotoAfterTheNextFetch()
  }

  /// Answers from which it is clear that Flickr does not know the region.
  static let namelessPlaces = [
    OddAnswer("code 2", json: #"{"stat":"fail","code":2,"message":"Not a valid Places ID"}"#),
    OddAnswer("code 3 as text", json: #"{"stat":"fail","code":"3","message":"Place not found"}"#),
    OddAnswer("no names", json: #"{"stat":"ok","place":{"place_id":"p1"}}"#),
    OddAnswer(
      "empty names",
      json: #"{"stat":"ok","place":{"place_id":"p1","region":{"_content":" "},"country":{"_content":""}}}"#),
    OddAnswer("the name Unknown", json: #"{"stat":"ok","place":{"place_id":"p1","region":{"_content":"Unknown"}}}"#),
    OddAnswer(
      "the names unknown and UNKNOWN",
      json:
        #"{"stat":"ok","place":{"place_id":"p1","region":{"_content":"unknown "},"country":{"_content":"UNKNOWN"}}}"#
    ),
  ].map { ReplayRow($0, exit: 0, says: "4 new") }

  @Test(arguments: namelessPlaces)
  func `photos whose place Flickr does not know are listed under unknown`(row: ReplayRow) async throws {
    let server = try ReplayServer(row.answer, at: "/", matching: Self.isPlace) { _ in .json(PhotoAnswers.page) }
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

  private static let leftOut = "Left out: $['photos']['photo'][4]['secret']: missing\n"

  /// Fetches a page without photos: what is shown afterwards was stored before, and the place was asked for again.
  private func expectPhotosInKyotoAfterTheNextFetch() async throws {
    let empty = OddAnswer("an empty page", json: Self.page(""))
    let healed = try ReplayServer(empty, at: "/", matching: { !Self.isPlace($0) }) { _ in .json(PhotoAnswers.place) }
    let output = try await fetch(healed.url)
    #expect(output.status == 0, "\(output)")
    #expect(try await photos().map(\.region) == Array(repeating: "Kyoto Prefecture", count: 4))
    #expect(try await regions() == [Region(name: "Kyoto Prefecture", photos: 4)])
  }

  @Test func `photos that wait are counted only in the lists to which they may belong`() async throws {
    let server = try ReplayServer(
      OddAnswer("a failure", json: #"{"stat":"fail","code":105,"message":"Come back later"}"#), at: "/",
      matching: Self.isPlace
    ) { _ in .json(PhotoAnswers.page) }
    #expect(try await fetch(server.url).status == 0)
    for (filter, note) in [
      ([], "4 more wait until their region is known\n"),
      (["--photographer", "Ada"], "3 more wait until their region is known\n"),
      (["--photographer", "9@N01"], "1 more waits until its region is known\n"),
      (["--photographer", "Grace"], ""), (["--region", "unknown"], ""), (["--region", "Kyoto Prefecture"], ""),
    ] {
      let output = try await flickr(["photos", "--store", store] + filter)
      #expect(output.errors == note, "\(filter) \(output)")
      #expect(output.text.contains(note.isEmpty ? "No such photos" : "No photos to show yet"), "\(filter) \(output)")
    }
  }
}
