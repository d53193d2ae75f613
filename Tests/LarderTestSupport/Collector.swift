import Foundation

/// Reads a pipe to its end on its own thread, so that a child never waits for its reader.
final class Collector: Sendable {
  let lines: AsyncStream<String>
  private let whole: Task<Data, Never>

  init(_ descriptor: Int32) {
    let (lines, line) = AsyncStream.makeStream(of: String.self)
    let (chunks, chunk) = AsyncStream.makeStream(of: Data.self)
    self.lines = lines
    whole = Task { await chunks.reduce(into: Data()) { $0.append($1) } }
    Thread.detachNewThread {
      var rest = Data()
      var buffer = [UInt8](repeating: 0, count: 64 << 10)
      while true {
        let count = read(descriptor, &buffer, buffer.count)
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { break }
        chunk.yield(Data(buffer[..<count]))
        rest.append(contentsOf: buffer[..<count])
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
          line.yield(String(decoding: rest[..<end], as: UTF8.self))
          rest = Data(rest[(end + 1)...])
        }
      }
      if !rest.isEmpty { line.yield(String(decoding: rest, as: UTF8.self)) }
      close(descriptor)
      line.finish()
      chunk.finish()
    }
  }

  /// All bytes read, after the pipe has ended.
  func text() async -> String { String(decoding: await whole.value, as: UTF8.self) }
}
