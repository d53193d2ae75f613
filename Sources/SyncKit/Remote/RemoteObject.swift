public import Persistence

/// An object as a server has it.
///
/// ```swift
/// extension IssueAnswer {
///   var remote: RemoteObject {
///     RemoteObject(Issue.self, key: SyncKey(number), version: .ordered(revision)) {
///       $0.set(\.title, to: title)
///       $0.set(\.milestone, key: milestoneNumber)
///     }
///   }
/// }
/// ```
///
/// Attributes that are not set stay as they are here, and have their default values in a new object.
public struct RemoteObject: Sendable {
  let name: RemoteKey
  let version: RemoteVersion?
  let values: [RemoteAssignment]

  /// The class and the key.
  public var key: RemoteKey { name }

  package init(_ name: RemoteKey, version: RemoteVersion?, _ values: [RemoteAssignment]) {
    (self.name, self.version, self.values) = (name, version, values)
  }

  /// - Parameters:
  ///   - type: A class of the remote's ``SyncRemote/classes``.
  ///   - key: What the server calls the object, of the type of the class's key.
  ///   - version: Which state of the object this is, if the server has versions.
  ///   - set: Sets the attributes and relationships that the server's answer contains, except for the key.
  public init<Object: ManagedObject>(
    _ type: Object.Type, key: SyncKey, version: RemoteVersion? = nil, _ set: (inout RemoteValues<Object>) -> Void
  ) {
    var values = RemoteValues<Object>()
    set(&values)
    (name, self.version, self.values) = (RemoteKey(type, key), version, values.assignments)
  }
}

/// The values of an object that a server has.
public struct RemoteValues<Object: ManagedObject> {
  var assignments: [RemoteAssignment] = []

  /// Sets an attribute.
  public mutating func set<Value: AttributeValue>(
    _ attribute: any KeyPath<Object, Value> & Sendable, to value: Value
  ) {
    assignments.append(RemoteAssignment(.path(attribute), value.roundedForStorage.stored, isLink: false))
  }

  /// Sets a to-one relationship by the key of its object, or to nil. The object may arrive later: until then, the
  /// relationship is nil.
  public mutating func set<Target: ManagedObject>(
    _ relationship: any KeyPath<Object, Target?> & Sendable, key: some AttributeValue
  ) {
    assignments.append(RemoteAssignment(.path(relationship), key.stored, isLink: true))
  }

  /// Sets a to-one relationship by the key of its object, or to nil.
  public mutating func set<Target: ManagedObject>(
    _ relationship: any KeyPath<Object, Target?> & Sendable, key: SyncKey?
  ) {
    assignments.append(RemoteAssignment(.path(relationship), key?.value ?? .null, isLink: true))
  }

  /// Sets a many-to-many relationship by the keys of its objects, in their order if it has one. Objects may arrive
  /// later: until then, they are left out.
  public mutating func set<Target: ManagedObject>(
    _ relationship: any KeyPath<Object, RelatedObjects<Target>> & Sendable, keys: some Sequence<some AttributeValue>
  ) {
    set(relationship, keys: keys.map { SyncKey($0) })
  }

  /// Sets a many-to-many relationship by the keys of its objects, in their order if it has one.
  public mutating func set<Target: ManagedObject>(
    _ relationship: any KeyPath<Object, RelatedObjects<Target>> & Sendable, keys: [SyncKey]
  ) {
    assignments.append(RemoteAssignment(.path(relationship), .null, isLink: true, members: keys))
  }
}

/// A value of a property.
package struct RemoteAssignment: Sendable {
  package enum Property: Sendable {
    case path(any AnyKeyPath & Sendable)
    /// The number of the attribute.
    case column(Int)
  }

  let property: Property
  let value: StoredValue
  let isLink: Bool
  /// The keys of a list.
  let members: [SyncKey]?

  package init(_ property: Property, _ value: StoredValue, isLink: Bool, members: [SyncKey]? = nil) {
    (self.property, self.value, self.isLink, self.members) = (property, value, isLink, members)
  }
}

/// What a server calls an object: its class and its key.
public struct RemoteKey: Sendable {
  /// The class of the object.
  public let type: ManagedObject.Type
  /// The key of the object.
  public let key: SyncKey

  /// Creates a name from a class and a key.
  public init(_ type: ManagedObject.Type, _ key: SyncKey) { (self.type, self.key) = (type, key) }
}

extension RemoteKey: Hashable {
  /// Whether class and key are the same.
  public static func == (first: RemoteKey, second: RemoteKey) -> Bool {
    first.type == second.type && first.key == second.key
  }

  /// Hashes class and key.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(type))
    hasher.combine(key)
  }
}
