/// The classes that are synchronized, as the engine sees them.
package struct SyncModel: Hashable, Sendable {
  package var classes: [SyncClass]

  package init(_ classes: [SyncClass]) { self.classes = classes }

  /// The classes, those before others that refer to them, as far as there is such an order.
  var targetsFirst: [Int] {
    var order: [Int] = []
    var seen: Set<Int> = []
    func visit(_ entity: Int) {
      guard seen.insert(entity).inserted else { return }
      for case let target? in classes[entity].attributes.map(\.target) { visit(target) }
      order.append(entity)
    }
    for entity in classes.indices { visit(entity) }
    return order
  }
}

/// A synchronized class. Its key is not among its attributes.
package struct SyncClass: Hashable, Sendable {
  package var name: String
  package let attributes: [Attribute]
  /// Whether any attribute leads to rows.
  let hasReferences: Bool
  /// How the engine finds out whether a row was created when no answer arrived.
  package var settling: CreationSettling
  /// The unique attribute that makes a row which was inserted here the same as one of the server.
  package var unifying: Int?

  package struct Attribute: Hashable, Sendable {
    package var name: String
    /// The class that a reference leads to, or the members of a list are of.
    package var target: Int?
    package var kind: Kind
    /// Whether no two rows of this store have the same value.
    package var isUnique: Bool

    package enum Kind: Hashable, Sendable {
      case single
      /// A many-to-many relationship.
      case set
      /// One whose members have an order.
      case list
    }

    package init(_ name: String, target: Int? = nil, _ kind: Kind = .single, isUnique: Bool = false) {
      (self.name, self.target, self.kind, self.isUnique) = (name, target, kind, isUnique)
    }

    /// The value of a new row.
    package var empty: SyncValue { kind == .single ? .null : .list(SyncList([], isOrdered: kind == .list)) }
  }

  var isUnique: Bool { attributes.contains(where: \.isUnique) }

  package init(_ name: String, _ attributes: [Attribute], settling: CreationSettling, unifying: Int? = nil) {
    (self.name, self.attributes, self.settling, self.unifying) = (name, attributes, settling, unifying)
    hasReferences = attributes.contains { $0.target != nil }
  }
}

/// How to settle whether an object was created, if the answer of the server was lost.
public enum CreationSettling: Hashable, Sendable {
  /// The server recognizes the ``SyncChange/idempotencyKey`` of a request, and does not repeat the creation.
  case idempotencyKey
  /// The app makes the object's key, and the server refuses a second object with that key. The key is a `UUID` or a
  /// `String`. If it is nil, the engine makes one before the object is sent.
  case clientKey
  /// The remote looks for the object by what was sent, see ``SyncRemote/find(_:)``.
  case find
  /// There is no way. The object is then *unconfirmed*, and not sent again unless the app says so.
  case none

  /// Whether the row has its key before the server knows it.
  package var makesKeyHere: Bool { self == .clientKey }
}
