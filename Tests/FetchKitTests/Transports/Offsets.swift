import FetchKit
import Foundation

/// Returns bytes in pieces of 30 000.
final class Offsets: Sendable {
  private let rest: Lock<Data>

  init(_ data: Data) {
    rest = Lock(data)
  }

  func next() -> Data? {
    rest.withLock { rest in
      guard !rest.isEmpty else { return nil }
      defer { rest = Data(rest.dropFirst(30_000)) }
      return Data(rest.prefix(30_000))
    }
  }
}
