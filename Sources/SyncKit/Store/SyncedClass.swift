internal import Foundation
public import Persistence

/// A class whose objects are kept in step with a server.
///
/// ```swift
/// let classes = [
///   SyncedClass(Milestone.self, key: \.number, created: .idempotencyKey),
///   SyncedClass(
///     Issue.self, key: \.number, created: .idempotencyKey, local: [\.isExpanded], independent: [\.position]),
/// ]
/// let schema = Schema(Milestone.self, Issue.self).synchronizing(classes)
/// ```
public struct SyncedClass: Sendable {
  let type: ManagedObject.Type
  let key: any AnyKeyPath & Sendable
  let created: CreationSettling
  /// Whether the key's stored form is what it is called outside.
  let hasSimpleKey: Bool
  private let lists: [any AnyKeyPath & Sendable]
  private let local: [any AnyKeyPath & Sendable]
  private let independent: [any AnyKeyPath & Sendable]
  private(set) var unifying: (any AnyKeyPath & Sendable)?

  /// The name of the class in the schema.
  var name: String { _typeName(type, qualified: false) }

  var tracked: TrackedClass { TrackedClass(type, lists: lists, ignoring: local, independent: independent) }

  /// - Parameters:
  ///   - type: A class of the schema.
  ///   - key: The unique attribute with which the server names the object: an integer, a text or a UUID. It is nil
  ///     until the server assigns it, or made by the app before that.
  ///   - created: How to find out whether an object was created, if no answer arrived.
  ///   - lists: Many-to-many relationships that are synchronized as lists of keys, ordered or not. One of the two
  ///     classes names the relationship; both are synchronized.
  ///   - local: Attributes and to-one relationships that stay in this store.
  ///   - independent: Those whose changes do not belong together with other changes of the same `persist`, such as a
  ///     position in a list or a counter.
  public init<Object: ManagedObject, Key: AttributeValue>(
    _ type: Object.Type, key: any KeyPath<Object, Key> & Sendable, created: CreationSettling,
    lists: [any PartialKeyPath<Object> & Sendable] = [],
    local: [any PartialKeyPath<Object> & Sendable] = [], independent: [any PartialKeyPath<Object> & Sendable] = []
  ) {
    (self.type, self.key, self.created) = (type, key, created)
    hasSimpleKey = !Key._isSortKeyed && (Key.storageClass != .blob || Key.Unwrapped.self == UUID.self)
    (self.lists, self.local, self.independent) = (lists.map { $0 }, local.map { $0 }, independent.map { $0 })
  }

  /// Returns the same class, of which a unique attribute says what an object is, such as the name of a tag.
  ///
  /// An object that was inserted here, and that the server does not have, is then the same as one of the server with
  /// the same value, and what refers to it stays. Otherwise the server's object is held back as long as another one
  /// here has its unique value, see ``SyncStatus/heldBack``.
  public func unifying<Object: ManagedObject, Value: AttributeValue>(
    _ attribute: any KeyPath<Object, Value> & Sendable
  ) -> SyncedClass {
    var result = self
    result.unifying = attribute
    return result
  }
}

extension Schema {
  /// Returns the same schema, whose stores remember what is changed until it is sent.
  ///
  /// A store that had objects before sends none of them until the server has said what it has: an object whose key the
  /// server has is compared with it, and one without a key is created there.
  public func synchronizing(_ classes: [SyncedClass]) -> Schema { tracking(classes.map(\.tracked)) }
}
