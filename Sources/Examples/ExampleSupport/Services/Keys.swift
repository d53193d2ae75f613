import FetchKit
import Foundation

/// The keys that this process sends. None of them is ever printed, although some services repeat them in error
/// messages.
enum Keys {
  private static let known = Lock<Set<String>>([])

  static func add(_ key: String) {
    // A shorter key could match parts of unrelated words.
    guard key.count >= 6 else { return }
    let encoded = key.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? key
    known.withLock { $0.formUnion([key, encoded]) }
  }

  /// Returns the text with each key replaced.
  static func hidden(in text: String) -> String {
    known.withLock(\.self).reduce(text) { $0.replacing($1, with: "<key>") }
  }
}
