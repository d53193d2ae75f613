import FetchKitTesting
import Foundation

@testable import FetchKit

/// A file on a loopback server that answers `Range` and `If-Range` as RFC 9110 §14 says.
struct RangedFile: Sendable {
  var data: Data
  var tag: String?

  init(count: Int, seed: UInt64 = 1, tag: String? = "\"one\"") {
    var state = seed
    data = Data(capacity: count)
    for _ in 0..<count {
      // Knuth's MMIX constants.
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      data.append(UInt8(truncatingIfNeeded: state >> 56))
    }
    self.tag = tag
  }

  var digest: DownloadDigest? { DownloadDigest(hex: SHA256.hexDigest(of: data)) }

  func answer(_ request: LoopbackRequest) -> LoopbackResponse {
    var headers: HTTPHeaders = [:]
    headers["ETag"] = tag
    let isSame = request.headers["If-Range"].map { $0 == tag } ?? true
    guard let offset = Self.offset(of: request), isSame else {
      return LoopbackResponse(status: 200, headers: headers, body: .data(data))
    }
    guard offset < data.count else {
      headers["Content-Range"] = "bytes */\(data.count)"
      return LoopbackResponse(status: 416, headers: headers)
    }
    headers["Content-Range"] = "bytes \(offset)-\(data.count - 1)/\(data.count)"
    return LoopbackResponse(status: 206, headers: headers, body: .data(data[offset...]))
  }

  static func offset(of request: LoopbackRequest) -> Int? {
    guard let range = request.headers["Range"], range.hasPrefix("bytes="), range.hasSuffix("-") else { return nil }
    return Int(range.dropFirst(6).dropLast())
  }
}

/// A folder that is removed with its owner.
final class Scratch: Sendable {
  let url: URL

  /// A folder on another volume than the temporary folder; nil if there is none.
  static let otherVolume: URL? = {
    let memory = URL(filePath: "/dev/shm")
    do throws(DownloadError) {
      let temporary = try DiskFolder.device(FileManager.default.temporaryDirectory.path)
      return try DiskFolder.device(memory.path) == temporary ? nil : memory
    } catch {
      return nil
    }
  }()

  init(in folder: URL = FileManager.default.temporaryDirectory) throws {
    url = folder.appending(path: "larder-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit {
    do {
      try FileManager.default.removeItem(at: url)
    } catch {
      print("could not remove \(url.path): \(error)")
    }
  }
}
