import FetchKit
import Foundation

/// The keys that this process sends, none of which it prints: some services repeat them in what they say of an error.
enum Keys {
  private static let known = Lock<Set<String>>([])

  static func add(_ key: String) {
    // A shorter one would be found in words that have nothing to do with it.
    guard key.count >= 6 else { return }
    let encoded = key.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? key
    known.withLock { $0.formUnion([key, encoded]) }
  }

  /// The text with each key replaced.
  static func hidden(in text: String) -> String {
    known.withLock(\.self).reduce(text) { $0.replacing($1, with: "<key>") }
  }
}
