package import Persistence

/// What a row is called outside: an integer, a text, or the bytes of a UUID.
package struct SyncKey: Hashable, Sendable {
  package let value: StoredValue

  package init(_ value: StoredValue) { self.value = value }
}

extension SyncKey: Comparable {
  /// Integers come first, in their order; texts and bytes are in the order of their bytes.
  package static func < (first: SyncKey, second: SyncKey) -> Bool {
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
