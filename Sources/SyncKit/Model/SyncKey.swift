internal import Foundation
package import Persistence

/// What an object is called outside of this store: an integer, a text, or a UUID. Texts are equal if their code points
/// are.
public struct SyncKey: Hashable, Sendable {
  package let value: StoredValue

  package init(_ value: StoredValue) { self.value = value }
}

// Texts are the same if their bytes are, as in the store, and not if they look alike.
extension SyncKey {
  /// Whether the keys are the same.
  public static func == (first: SyncKey, second: SyncKey) -> Bool {
    guard case .text(let first) = first.value, case .text(let second) = second.value else {
      return first.value == second.value
    }
    return first.utf8.elementsEqual(second.utf8)
  }

  /// Hashes the key.
  public func hash(into hasher: inout Hasher) {
    guard case .text(let text) = value else { return hasher.combine(value) }
    for byte in text.utf8 { hasher.combine(byte) }
  }
}

extension SyncKey: Comparable {
  /// Integers come first, in their order; texts and UUIDs are in the order of their bytes.
  public static func < (first: SyncKey, second: SyncKey) -> Bool {
    switch (first.value, second.value) {
    case (.integer(let first), .integer(let second)): first < second
    case (.text(let first), .text(let second)): first.utf8.lexicographicallyPrecedes(second.utf8)
    case (.blob(let first), .blob(let second)): first.lexicographicallyPrecedes(second)
    default: first.rank < second.rank
    }
  }

  private var rank: Int {
    switch value {
    case .integer: 0
    case .text: 1
    default: 2
    }
  }
}

extension SyncKey: CustomStringConvertible {
  /// The key as it is written in a URL, without escapes. A UUID has small letters.
  public var description: String {
    switch value {
    case .null, .unstorable: "no key"
    case .integer(let number): "\(number)"
    case .real(let number): "\(number)"
    case .text(let text): text
    case .blob(let bytes):
      bytes.enumerated().map { index, byte in
        ([4, 6, 8, 10].contains(index) ? "-" : "") + (byte < 16 ? "0" : "") + String(byte, radix: 16)
      }.joined()
    }
  }
}

/// The rows of one class, or of one owner, that a page lists completely: what it does not list, the server does not
/// have.
package struct Coverage: Hashable, Sendable {
  package var entity: Int
  /// The reference that leads to the owner, and the owner's key.
  package var owner: Owner?
  /// From this key on, or from the first one.
  package var first: SyncKey?
  /// Up to this key, or to the last one.
  package var last: SyncKey?

  package struct Owner: Hashable, Sendable {
    package var attribute: Int
    package var key: SyncKey

    package init(attribute: Int, key: SyncKey) { (self.attribute, self.key) = (attribute, key) }
  }

  package init(of entity: Int, owner: Owner? = nil, from first: SyncKey? = nil, to last: SyncKey? = nil) {
    (self.entity, self.owner, self.first, self.last) = (entity, owner, first, last)
  }

  package func contains(_ key: SyncKey) -> Bool {
    first.map { $0 <= key } ?? true && last.map { key <= $0 } ?? true
  }
}
