public import Foundation
public import Persistence

/// Objects to create, update and delete on a server, in an order in which it can take them.
public struct SyncBatch: Sendable {
  /// The changes. There is one, unless ``RemoteCapabilities/batch`` allows more.
  public let changes: [SyncChange]
  package let request: PushRequest

  /// Whether the same changes may have been sent before, and taken effect without an answer.
  public var isRepeated: Bool { request.isRepeated }
}

/// An object to create, update or delete on a server.
public struct SyncChange: Sendable, Identifiable {
  /// What to do with the object.
  public enum Kind: Sendable, Hashable {
    /// The server does not have the object.
    case creation
    /// The server has the object, under this key, with other values.
    case update(SyncKey)
    /// The object is deleted here. The server has it under this key.
    case deletion(SyncKey)
  }

  package let change: PushRequest.Change
  let table: SyncedTables.Table
  private let type: ManagedObject.Type
  private let position: @Sendable (RowID) -> Int?
  /// Identifies this change, however often it is sent, and no other one: the value of an `Idempotency-Key` header.
  public let idempotencyKey: UUID
  /// Whether it may have been sent before.
  let isRepeated: Bool

  init(
    _ change: PushRequest.Change, of type: ManagedObject.Type, in table: SyncedTables.Table, idempotencyKey: UUID,
    isRepeated: Bool, position: @escaping @Sendable (RowID) -> Int?
  ) {
    (self.change, self.type, self.table, self.idempotencyKey) = (change, type, table, idempotencyKey)
    (self.isRepeated, self.position) = (isRepeated, position)
  }

  /// The same as ``idempotencyKey``.
  public var id: UUID { idempotencyKey }

  /// What to do with the object.
  public var kind: Kind {
    // What the server has, has a key.
    let key = change.key ?? SyncKey(.null)
    return switch change.kind {
    case .creation: .creation
    case .update: .update(key)
    case .deletion: .deletion(key)
    }
  }

  /// The key of the object. Nil for a creation if the server assigns the key.
  public var key: SyncKey? { change.key }

  /// The version on which the change is based, for `If-Match`. Nil if the server has not said one.
  public var version: RemoteVersion? { change.version }

  /// The change as that of a class, or nil if the object has another one.
  public func of<Object: ManagedObject>(_ type: Object.Type) -> TypedSyncChange<Object>? {
    self.type == type ? TypedSyncChange(change: self) : nil
  }

  fileprivate func value(_ path: AnyKeyPath) -> SyncValue? {
    guard let index = table.index(of: path) else {
      return table.isKey(path) ? change.key.map { .plain($0.value) } : nil
    }
    return change.fields.values[index] ?? change.base?.values[index]
  }

  fileprivate func sends(_ path: AnyKeyPath) -> Bool {
    table.index(of: path).map { change.fields.values[$0] != nil } ?? false
  }

  fileprivate func position(of path: AnyKeyPath) -> Int? {
    value(path).flatMap { position(of: $0, path) }
  }

  fileprivate func members(of path: AnyKeyPath) -> [SyncMember] {
    (value(path)?.references ?? []).compactMap { reference in
      if case .key(let key) = reference { return .key(key) }
      return position(of: reference, path).map { .created(position: $0) }
    }
  }

  fileprivate func baseKeys(of path: AnyKeyPath) -> [SyncKey] {
    let list = table.index(of: path).flatMap { change.base?.values[$0] }
    return (list?.references ?? []).compactMap { if case .key(let key) = $0 { key } else { nil } }
  }

  private func position(of reference: SyncValue, _ path: AnyKeyPath) -> Int? {
    guard case .object(let id) = reference, let index = table.index(of: path), let target = table.columns[index].target
    else { return nil }
    return position(RowID(target, id))
  }
}

/// A ``SyncChange`` of an object whose class is known.
///
/// ```swift
/// if let issue = change.of(Issue.self) {
///   let body = IssueBody(title: issue[\.title] ?? "", milestone: issue.key(of: \.milestone)?.integer)
///   _ = try await api.create(body, idempotencyKey: change.idempotencyKey)
/// }
/// ```
public struct TypedSyncChange<Object: ManagedObject>: Sendable {
  /// The change of an object of any class.
  public let change: SyncChange

  /// What to do with the object.
  public var kind: SyncChange.Kind { change.kind }

  /// The key of the object. Nil for a creation if the server assigns the key.
  public var key: SyncKey? { change.key }

  /// The value that an attribute has after the change, or before a deletion. Nil if that is the value, and for
  /// attributes that are not synchronized.
  public subscript<Value: AttributeValue>(attribute: KeyPath<Object, Value>) -> Value.Unwrapped? {
    guard case .plain(let value)? = change.value(attribute), value != .null else { return nil }
    return Value.Unwrapped._value(value)
  }

  /// The key of the object that a to-one relationship leads to after the change, or before a deletion. Nil if there is
  /// no object, or if the same atomic batch creates it: see ``position(of:)``.
  public func key<Target: ManagedObject>(of relationship: KeyPath<Object, Target?>) -> SyncKey? {
    if case .key(let key)? = change.value(relationship) { key } else { nil }
  }

  /// The position in ``SyncBatch/changes`` of the change that creates the object to which a relationship leads. Nil if
  /// the server has that object already.
  public func position<Target: ManagedObject>(of relationship: KeyPath<Object, Target?>) -> Int? {
    change.position(of: relationship)
  }

  /// The objects of a many-to-many relationship after the change, or before a deletion, in their order if it has one.
  public func members<Target: ManagedObject>(of relationship: KeyPath<Object, RelatedObjects<Target>>) -> [SyncMember] {
    change.members(of: relationship)
  }

  /// The keys of the ``members(of:)``, without those that the same atomic batch creates.
  public func keys<Target: ManagedObject>(of relationship: KeyPath<Object, RelatedObjects<Target>>) -> [SyncKey] {
    change.members(of: relationship).compactMap(\.key)
  }

  /// The members that were added here, for an API that adds and removes single ones.
  public func added<Target: ManagedObject>(to relationship: KeyPath<Object, RelatedObjects<Target>>) -> [SyncMember] {
    let known = Set(change.baseKeys(of: relationship))
    return change.members(of: relationship).filter { $0.key.map { !known.contains($0) } ?? true }
  }

  /// The keys of the members that were removed here.
  public func removedKeys<Target: ManagedObject>(
    from relationship: KeyPath<Object, RelatedObjects<Target>>
  ) -> [SyncKey] {
    let left = Set(keys(of: relationship))
    return change.baseKeys(of: relationship).filter { !left.contains($0) }
  }

  /// Whether the change sets an attribute or relationship. If ``RemoteCapabilities/sendsWholeRows`` is false, an
  /// update sets only what was changed.
  public func sets(_ property: PartialKeyPath<Object>) -> Bool { change.sends(property) }
}
