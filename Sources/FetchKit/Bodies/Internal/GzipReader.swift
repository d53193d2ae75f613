internal import Foundation

/// Reads a body and compresses it.
actor GzipReader {
  private let source: MultipartReader
  private let deflater = Deflater()
  private var hasEnded = false

  init(_ source: MultipartReader) {
    self.source = source
  }

  func next() async throws -> Data? {
    while !hasEnded {
      let part = try await source.next()
      hasEnded = part == nil
      let compressed = deflater.next(part ?? Data(), flush: hasEnded ? .end : .none)
      if !compressed.isEmpty { return compressed }
    }
    return nil
  }
}
