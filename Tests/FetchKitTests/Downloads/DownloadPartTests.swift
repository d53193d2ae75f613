import Foundation
import LarderTestSupport
import Testing

@testable import FetchKit

@Suite struct DownloadPartTests {
  private let scratch: Scratch
  private let files: SessionFiles
  private let part: DownloadPart

  init() throws {
    scratch = try Scratch()
    files = SessionFiles(identifier: "x", in: scratch.url)
    try FileManager.default.createDirectory(atPath: files.parts, withIntermediateDirectories: true)
    var record = DownloadRecord(
      id: 1, name: "x", request: StoredRequest(HTTPRequest(.get, scratch.url), .standard), priority: .normal,
      destination: "Files/x", digest: DownloadDigest(bytes: [UInt8](repeating: 7, count: 32)), part: 2)
    record.received = 3 << 20
    try Data(count: 3 << 20).write(to: URL(filePath: files.part(2)))
    part = DownloadPart(record, files, mostInMemory: 0)
  }

  @Test func `a stopped download does not hash the part it has received`() async throws {
    let opening = Task { [part] () -> Bool in
      withUnsafeCurrentTask { $0?.cancel() }
      var part = part
      return try part.open()
    }
    await #expect(throws: DownloadError.cancelled) { try await opening.value }
    var part = part
    #expect(try part.open())
  }

  @Test func `a stopped download copies no bytes`() async throws {
    let copy = scratch.url.appending(path: "copy").path
    let copying = Task { [part] in
      var part = part
      _ = try part.open()
      withUnsafeCurrentTask { $0?.cancel() }
      _ = try part.stage(at: copy)
    }
    await #expect(throws: DownloadError.cancelled) { try await copying.value }
    #expect(try FileManager.default.attributesOfItem(atPath: copy)[.size] as? Int == 0)
    var part = part
    #expect(try part.open())
    _ = try part.stage(at: copy)
    #expect(try FileManager.default.attributesOfItem(atPath: copy)[.size] as? Int == 3 << 20)
  }

  @Test func `stopping a download is not a failure`() {
    #expect(TransferEnd(.diskFull).isFailure)
    #expect(!TransferEnd(.cancelled).isFailure)
  }
}

extension TransferEnd {
  fileprivate var isFailure: Bool {
    if case .failed = self { true } else { false }
  }
}
