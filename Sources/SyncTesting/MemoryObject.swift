public import Persistence
public import SyncKit

/// An object as a ``MemoryAPI`` has it.
public struct MemoryObject<Object: ManagedObject>: Sendable {
  /// What the API calls the object. Nil if it is being created, and the API makes the key.
  public let key: SyncKey?
  /// Which state of the object this is, if the API has versions.
  public let version: RemoteVersion?
  let fields: Fields
  let table: SyncedTables.Table

  /// The value of an attribute. Nil if that is the value, and for attributes that are not synchronized.
  public subscript<Value: AttributeValue>(attribute: KeyPath<Object, Value>) -> Value.Unwrapped? {
    guard case .plain(let value)? = value(attribute), value != .null else { return nil }
    return Value.Unwrapped._value(value)
  }

  /// The key of the object that a to-one relationship leads to.
  public func key<Target: ManagedObject>(of relationship: KeyPath<Object, Target?>) -> SyncKey? {
    if case .key(let key)? = value(relationship) { key } else { nil }
  }

  /// The keys of the objects of a many-to-many relationship, in their order if it has one.
  public func keys<Target: ManagedObject>(of relationship: KeyPath<Object, RelatedObjects<Target>>) -> [SyncKey] {
    (value(relationship)?.references ?? []).compactMap { if case .key(let key) = $0 { key } else { nil } }
  }

  private func value(_ path: AnyKeyPath) -> SyncValue? {
    if table.isKey(path) { return key.map { .plain($0.value) } }
    return table.index(of: path).flatMap { fields[$0] }
  }
}
