import FetchKit
import FetchKitTesting
import Foundation
import LarderTestSupport
import Testing

/// Servers and disks that misbehave.
@Suite(.timeLimit(.minutes(10))) struct DownloadFaultTests: DownloadSuite {
  let server: LoopbackServer
  let scratch: Scratch
  let file = RangedFile(count: 200_000)

  init() throws {
    server = try LoopbackServer()
    scratch = try Scratch()
  }

  /// Runs a download whose first response is cut off and whose second comes from the closure; returns the requested
  /// offsets too.
  func download(
    first: RangedFile, then: @escaping @Sendable (LoopbackRequest) -> LoopbackResponse
  ) async throws -> (Result<DownloadedFile, DownloadError>, offsets: [Int?]) {
    let count = Counter()
    server.on(.get, "/file") { request in
      count.next() == 1 ? first.answer(request).cut(after: .body(bytes: 70_000)) : then(request)
    }
    let session = try open()
    try await session.start(url, named: "x")
    let result = try await session.result(of: "x")
    await session.close()
    return (result, server.requests.map(RangedFile.offset))
  }

  func check(_ result: Result<DownloadedFile, DownloadError>, is file: RangedFile) throws {
    #expect(try Data(contentsOf: result.get().url) == file.data)
  }

  @Test func `a download whose file changed on the server starts over`() async throws {
    let other = RangedFile(count: 150_000, seed: 2, tag: "\"two\"")
    let (result, offsets) = try await download(first: file) { other.answer($0) }
    try check(result, is: other)
    #expect(offsets == [nil, 70_000])
  }

  @Test func `a download starts over when the server ignores the range`() async throws {
    let (result, offsets) = try await download(first: file) { [file] _ in .data(file.data) }
    try check(result, is: file)
    #expect(offsets == [nil, 70_000])
  }

  @Test func `a download discards a partial response that starts at another offset`() async throws {
    let (result, offsets) = try await download(first: file) { [file] request in
      guard RangedFile.offset(of: request) != nil else { return file.answer(request) }
      return LoopbackResponse(
        status: 206, headers: ["Content-Range": "bytes 60000-199999/200000", "ETag": "\"one\""],
        body: .data(file.data[60_000...]))
    }
    try check(result, is: file)
    #expect(offsets == [nil, 70_000, nil])
  }

  @Test func `a download discards a multipart response`() async throws {
    let (result, offsets) = try await download(first: file) { [file] request in
      guard RangedFile.offset(of: request) != nil else { return file.answer(request) }
      let body = "--b\r\nContent-Range: bytes 70000-70001/200000\r\n\r\nab\r\n--b--\r\n"
      return LoopbackResponse(
        status: 206, headers: ["Content-Type": "multipart/byteranges; boundary=b"], body: .data(Data(body.utf8)))
    }
    try check(result, is: file)
    #expect(offsets == [nil, 70_000, nil])
  }

  @Test func `a download starts over when its range is beyond the end of a file that shrank`() async throws {
    let small = RangedFile(count: 1000, seed: 3)
    let (result, offsets) = try await download(first: file) { small.answer($0) }
    try check(result, is: small)
    #expect(offsets == [nil, 70_000, nil])
  }

  @Test func `a download starts over when the total length changed`() async throws {
    let longer = RangedFile(count: 250_000)
    let (result, offsets) = try await download(first: file) { longer.answer($0) }
    try check(result, is: longer)
    #expect(offsets == [nil, 70_000, nil])
  }

  @Test(arguments: ["W/\"one\"", nil]) func `without a strong validator a download is not resumed`(tag: String?)
    async throws
  {
    var tagged = file
    tagged.tag = tag
    let (result, offsets) = try await download(first: tagged) { [tagged] in tagged.answer($0) }
    try check(result, is: tagged)
    #expect(offsets == [nil, nil])
  }

  @Test func `a download continues when the server sends the range in pieces`() async throws {
    let (result, offsets) = try await download(first: file) { [file] request in
      let offset = RangedFile.offset(of: request) ?? 0
      let end = min(offset + 50_000, file.data.count)
      return LoopbackResponse(
        status: 206, headers: ["Content-Range": "bytes \(offset)-\(end - 1)/\(file.data.count)", "ETag": "\"one\""],
        body: .data(file.data[offset..<end]))
    }
    try check(result, is: file)
    #expect(offsets == [nil, 70_000, 120_000, 170_000])
  }

  @Test func `a multipart response is no match for a range, whatever its head says`() async throws {
    let (result, offsets) = try await download(first: file) { [file] request in
      var answer = file.answer(request)
      if RangedFile.offset(of: request) != nil { answer.headers["Content-Type"] = "Multipart/ByteRanges; boundary=b" }
      return answer
    }
    try check(result, is: file)
    #expect(offsets == [nil, 70_000, nil])
  }

  @Test func `a download continues after a partial response that ends early`() async throws {
    let (result, offsets) = try await download(first: file) { [file] request in
      var answer = file.answer(request)
      let offset = RangedFile.offset(of: request) ?? 0
      // Its head promises the whole rest; only the end of the chunks shows how much arrived.
      if offset < 150_000 { answer.body = .data(file.data[offset..<(offset + 40_000)]) }
      return answer.chunked()
    }
    try check(result, is: file)
    #expect(offsets == [nil, 70_000, 110_000, 150_000])
  }

  @Test func `a partial response with more bytes than announced is discarded`() async throws {
    let (result, offsets) = try await download(first: file) { [file] request in
      var answer = file.answer(request)
      if let offset = RangedFile.offset(of: request) { answer.body = .data(file.data[offset...] + Data(count: 10)) }
      return answer.chunked()
    }
    try check(result, is: file)
    #expect(offsets == [nil, 70_000, nil])
  }

  @Test func `the digest detects a Content-Length that is too short`() async throws {
    server.on(.get, "/file") { [file] in file.answer($0).declaring(length: 150_000).closing() }
    let session = try open()
    try await session.start(url, named: "x", DownloadOptions(digest: file.digest))
    guard case .failure(.wrongDigest(let expected, _)) = try await session.result(of: "x") else {
      Issue.record("the file is not whole")
      return
    }
    #expect(expected == file.digest)
    #expect(!FileManager.default.fileExists(atPath: session.filesDirectory.appending(path: "x").path))
    await session.close()
  }

  @Test func `a download that is cut off repeatedly and cannot resume fails and leaves no file`() async throws {
    server.on(.get, "/file") { [file] request in
      RangedFile(count: file.data.count, tag: nil).answer(request).cut(after: .body(bytes: 70_000))
    }
    let session = try open()
    try await session.start(url, named: "x")
    guard case .failure(.connection) = try await session.result(of: "x") else {
      Issue.record("the file is not whole")
      return
    }
    #expect(server.requests.allSatisfy { RangedFile.offset(of: $0) == nil })
    #expect(!FileManager.default.fileExists(atPath: session.filesDirectory.appending(path: "x").path))
    await session.close()
  }

  @Test func `a Content-Length that is too long ends in a lost connection`() async throws {
    server.on(.get, "/file", LoopbackResponse.data(file.data).declaring(length: 300_000).closing())
    let session = try open()
    try await session.start(url, named: "x")
    guard case .failure(.connection) = try await session.result(of: "x") else {
      Issue.record("the file is not whole")
      return
    }
    #expect(server.requests.count == 3)
    #expect(!FileManager.default.fileExists(atPath: session.filesDirectory.appending(path: "x").path))
    await session.close()
  }

  #if os(Linux)
  @Test(arguments: [1000, 400_000])
  func `a file that was compressed without being asked for is decoded, and its event says so`(
    count: Int
  ) async throws {
    let plain = RangedFile(count: count)
    server.on(.get, "/file") { plain.answer($0).gzipped() }
    let first = try open()
    try await first.start(url, named: "x", DownloadOptions(digest: plain.digest))
    #expect(try await first.result(of: "x").get().contentCoding == "gzip")
    await first.close()

    let second = try open()
    var events = second.events.makeAsyncIterator()
    let event = try #require(await events.next())
    let downloaded = try event.result.get()
    #expect(downloaded.contentCoding == "gzip")
    #expect(downloaded.byteCount == Int64(count))
    #expect(try Data(contentsOf: downloaded.url) == plain.data)
    event.done()
    server.on(.get, "/file") { plain.answer($0) }
    try await second.start(url, named: "x")
    #expect(try await second.result(of: "x").get().contentCoding == nil)
    await second.close()
  }

  @Test(arguments: [1, 9, 100_000], [false, true])
  func `a compressed file that ends too early, but with its framing, leaves no file`(
    missing: Int, isChunked: Bool
  ) async throws {
    let part = try GZip.pack(file.data).dropLast(missing)
    let response = LoopbackResponse(headers: ["Content-Encoding": "gzip", "ETag": "\"one\""], body: .data(part))
    server.on(.get, "/file", isChunked ? response.chunked() : response)
    let session = try open()
    try await session.start(url, named: "x")
    guard case .failure(.connection) = try await session.result(of: "x") else {
      Issue.record("the file is not whole")
      return
    }
    #expect(!FileManager.default.fileExists(atPath: session.filesDirectory.appending(path: "x").path))
    await session.close()
  }
  #endif

  @Test func `a download with the wrong digest leaves no file`() async throws {
    server.on(.get, "/file") { [file] in file.answer($0) }
    let session = try open()
    let expected = try #require(RangedFile(count: 10, seed: 9).digest)
    try await session.start(url, named: "x", DownloadOptions(digest: expected))
    let found = try #require(file.digest)
    #expect(try await session.result(of: "x") == .failure(.wrongDigest(expected: expected, found: found)))
    #expect(!FileManager.default.fileExists(atPath: session.filesDirectory.appending(path: "x").path))
    await session.close()
  }

  @Test func `a resumed file with the wrong digest is fetched again from the start`() async throws {
    // The tag stays although the bytes change: only the digest can tell.
    var wrong = RangedFile(count: 200_000, seed: 5)
    wrong.tag = file.tag
    let count = Counter()
    server.on(.get, "/file") { [file, wrong] request in
      count.next() == 1 ? wrong.answer(request).cut(after: .body(bytes: 70_000)) : file.answer(request)
    }
    let session = try open()
    try await session.start(url, named: "x", DownloadOptions(digest: file.digest))
    try check(try await session.result(of: "x"), is: file)
    #expect(server.requests.map(RangedFile.offset) == [nil, 70_000, nil])
    await session.close()
  }

  @Test func `a download over the size limit is refused by its announced length and by its bytes`() async throws {
    server.on(.get, "/file", .data(file.data))
    server.on(.get, "/silent", LoopbackResponse.data(file.data).chunked())
    let session = try open { $0.maxFileSize = 100_000 }
    try await session.start(url, named: "announced")
    try await session.start(server.url.appending(path: "silent"), named: "silent")
    #expect(try await session.result(of: "announced") == .failure(.tooLarge(limit: 100_000)))
    #expect(try await session.result(of: "silent") == .failure(.tooLarge(limit: 100_000)))
    await session.close()
  }

  @Test func `an unwritable folder keeps the part, and the download resumes once it is writable`() async throws {
    server.on(.get, "/file") { [file] in file.answer($0) }
    // There is a file where the folder should be.
    let blocker = scratch.url.appending(path: "target")
    try Data().write(to: blocker)
    let destination = blocker.appending(path: "x")
    let session = try open()
    try await session.start(url, named: "x", DownloadOptions(destination: destination, digest: file.digest))
    guard case .failure(.disk) = try await session.result(of: "x") else {
      Issue.record("there is no folder to move to")
      return
    }
    try FileManager.default.removeItem(at: blocker)
    try await session.resume("x")
    try check(try await session.result(of: "x"), is: file)
    #expect(try Data(contentsOf: destination) == file.data)
    await session.close()
  }

  @Test func `a full disk is reported, and the download resumes once there is room`() async throws {
    server.on(.get, "/file") { [file] in file.answer($0) }
    let probe = Probe(
      directory: scratch.url, url: url, digest: try #require(file.digest), interval: 16 << 10)
    let full = try await probe.run(environment: ["PROBE_FILE_LIMIT": "100000"])
    #expect(full.lines.contains { $0.hasSuffix("the disk is full") }, "\(full.lines)")
    #expect(try probe.partLength() == 100_000)
    let again = try await probe.run(environment: ["PROBE_RESUME": "1"])
    #expect(again.tokens("finished").count == 1, "\(again.lines)")
    #expect(try Data(contentsOf: probe.file) == file.data)
    let offset = try #require(server.requests.compactMap(RangedFile.offset).first)
    #expect(offset >= 100_000 - 16 << 10)
  }

  @Test func `a second process cannot open a session until the first one ends`() async throws {
    let gate = LoopbackGate()
    server.on(.get, "/file") { [file] in file.answer($0).held(at: gate) }
    let probe = Probe(directory: scratch.url, url: url, digest: try #require(file.digest), interval: 1 << 20)
    let first = try probe.start()
    await server.requests(atLeast: 1)
    let second = try await probe.run()
    #expect(second.lines == ["error the session is already open, held by process \(first.process.identifier)"])
    #expect(throws: DownloadSessionError.inUse(holder: "process \(first.process.identifier)")) {
      try DownloadSession(identifier: "probe", directory: scratch.url)
    }
    first.kill()
    _ = await first.outcome()
    gate.open()
    #expect(try await probe.run().tokens("finished").count == 1)
  }

  @Test func `a process cannot open the same session twice`() async throws {
    let session = try open()
    #expect(throws: DownloadSessionError.inUse(holder: "process \(getpid())")) { try open() }
    await session.close()
    await (try open()).close()
  }
}

/// Counts calls from any thread.
final class Counter: Sendable {
  private let count = Lock(0)

  func next() -> Int {
    count.withLock { count in
      count += 1
      return count
    }
  }
}
