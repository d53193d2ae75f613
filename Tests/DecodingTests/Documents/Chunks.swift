import Foundation

/// Bytes in chunks of one size, the last one shorter; optionally an error behind them.
struct Chunks: AsyncSequence {
  typealias Element = [UInt8]

  var bytes: [UInt8]
  var size: Int
  var error: (any Error)?

  init(_ text: String, size: Int, error: (any Error)? = nil) { self.init(Array(text.utf8), size: size, error: error) }

  init(_ bytes: [UInt8], size: Int, error: (any Error)? = nil) {
    self.bytes = bytes
    self.size = size
    self.error = error
  }

  func makeAsyncIterator() -> Iterator { Iterator(chunks: self) }

  struct Iterator: AsyncIteratorProtocol {
    let chunks: Chunks
    var position = 0

    mutating func next() async throws -> [UInt8]? {
      guard position < chunks.bytes.count else {
        if let error = chunks.error { throw error }
        return nil
      }
      let end = Swift.min(position + chunks.size, chunks.bytes.count)
      defer { position = end }
      return Array(chunks.bytes[position..<end])
    }
  }
}

/// The same chunk for ever, behind a beginning.
struct EndlessChunks: AsyncSequence {
  typealias Element = Data

  var beginning: String
  var chunk: String

  func makeAsyncIterator() -> Iterator { Iterator(next: beginning, chunk: chunk) }

  struct Iterator: AsyncIteratorProtocol {
    var next: String
    let chunk: String

    mutating func next() async throws -> Data? {
      defer { next = chunk }
      return Data(next.utf8)
    }
  }
}
