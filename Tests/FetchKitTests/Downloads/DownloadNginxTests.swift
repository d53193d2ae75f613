#if os(Linux)
import Foundation
import Testing

import FetchKit

/// Downloads from an independent server; where `nginx` or `openssl` is not installed the run reports that this suite
/// did not run.
@Suite(.enabled(if: NginxServer.isInstalled), .timeLimit(.minutes(10))) struct DownloadNginxTests {
  let nginx: NginxServer
  let scratch: Scratch
  let name = UUID().uuidString
  /// 16 MiB in which every KiB is different.
  let content: Data

  init() throws {
    nginx = try NginxServer.shared.get()
    scratch = try Scratch()
    let piece = RangedFile(count: 1 << 10).data
    content = (0..<(16 << 10)).reduce(into: Data(capacity: 16 << 20)) { content, number in
      content.append(piece.dropLast(8))
      withUnsafeBytes(of: number.littleEndian) { content.append(contentsOf: $0) }
    }
    try content.write(to: nginx.files.appending(path: name))
  }

  func open() throws -> DownloadSession {
    let transport = try CurlTransport { $0.certificateAuthorities = .only(.file(nginx.authority)) }
    return try DownloadSession(identifier: "test", directory: scratch.url) {
      $0.client = FetchClient { $0.transport = transport }
      $0.progressInterval = .zero
      $0.syncInterval = 64 << 10
    }
  }

  /// Starts the download and stops it partway; returns how much has been received.
  func interrupted() async throws -> Int64 {
    let session = try open()
    try await session.start(nginx.fileURL(name), named: "x")
    for await progress in session.progress(of: "x") where progress.receivedBytes > 0 { break }
    try await session.pause("x")
    await session.close()
    let again = try open()
    let received = try #require(await again.task(named: "x")).receivedBytes
    await again.close()
    return received
  }

  func finish() async throws -> (Data, first: Int64?) {
    let session = try open()
    let progress = session.progress(of: "x")
    try await session.resume("x")
    var first: Int64?
    for await progress in progress where first == nil { first = progress.receivedBytes }
    let file = try await session.result(of: "x").get()
    await session.close()
    return (try Data(contentsOf: file.url), first)
  }

  @Test func `a stopped download from nginx resumes at its offset`() async throws {
    let received = try await interrupted()
    #expect(received > 0 && received < content.count, "\(received) bytes")
    let (whole, first) = try await finish()
    #expect(whole == content)
    #expect(try #require(first) > received)
  }

  @Test func `a file that changed on nginx during a pause is downloaded from the start`() async throws {
    #expect(try await interrupted() > 0)
    let other = Data(content.reversed())
    try other.write(to: nginx.files.appending(path: name))
    // The entity tag is made of the length and the modification time in seconds.
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSinceNow: -3600)], ofItemAtPath: nginx.files.appending(path: name).path)
    #expect(try await finish().0 == other)
  }
}
#endif
