public import Persistence

/// A value that a merge gave up. It is kept until ``SyncEngine/dismiss(_:)``.
///
/// ```swift
/// for conflict in try await engine.conflicts() {
///   if let title = conflict.mine(\Issue.title), conflict.choice == .theirs { show(title) }
///   try await engine.dismiss(conflict)
/// }
/// ```
///
/// To take the value that was given up, set the attribute to it: that is a change like any other.
///
/// ## Topics
///
/// ### What it is about
/// - ``id``
/// - ``kind-swift.property``
/// - ``Kind-swift.enum``
/// - ``object``
/// - ``key``
/// - ``choice``
///
/// ### Attributes
/// - ``mine(_:)``
/// - ``theirs(_:)``
/// - ``base(_:)``
///
/// ### Relationships
/// - ``mine(idOf:)``
/// - ``theirs(idOf:)``
/// - ``base(idOf:)``
/// - ``mine(idsOf:)``
/// - ``theirs(idsOf:)``
public struct SyncConflict: Sendable, Identifiable {
  /// What was in conflict.
  public enum Kind: Sendable, Hashable {
    /// Both sides changed a property.
    case changed(property: String)
    /// The object was changed here and deleted there.
    case deletedThere
    /// The object was deleted here and changed there.
    case deletedHere
    /// The server has erased the object, and with it what was changed here.
    case erased
  }

  /// Identifies the conflict in this store.
  public let id: Int64
  /// What was in conflict.
  public let kind: Kind
  /// The object.
  public let object: SyncedObject
  /// What the server calls the object.
  public let key: SyncKey?
  /// The side whose value stayed.
  public let choice: ConflictPolicy.Choice
  let values: (base: Fields?, mine: Fields?, theirs: Fields?)
  let table: SyncedTables.Table

  /// The value here. Nil if that is the value, or if the property is not in conflict.
  public func mine<Object: ManagedObject, Value: AttributeValue>(
    _ attribute: KeyPath<Object, Value>
  ) -> Value.Unwrapped? {
    value(attribute, in: values.mine)
  }

  /// The value of the server. Nil if that is the value, or if the property is not in conflict.
  public func theirs<Object: ManagedObject, Value: AttributeValue>(
    _ attribute: KeyPath<Object, Value>
  ) -> Value.Unwrapped? {
    value(attribute, in: values.theirs)
  }

  /// The value before both changes. Nil if that is the value, or if it is not known.
  public func base<Object: ManagedObject, Value: AttributeValue>(
    _ attribute: KeyPath<Object, Value>
  ) -> Value.Unwrapped? {
    value(attribute, in: values.base)
  }

  /// The object to which a relationship leads here. Nil if there is none or it has not arrived, or if the relationship
  /// is not in conflict.
  public func mine<Object: ManagedObject, Target: ManagedObject>(
    idOf relationship: KeyPath<Object, Target?>
  ) -> ObjectID<Target>? {
    id(relationship, in: values.mine)
  }

  /// The object to which a relationship leads on the server. Nil if there is none or it has not arrived, or if the
  /// relationship is not in conflict.
  public func theirs<Object: ManagedObject, Target: ManagedObject>(
    idOf relationship: KeyPath<Object, Target?>
  ) -> ObjectID<Target>? {
    id(relationship, in: values.theirs)
  }

  /// The object to which a relationship led before both changes. Nil if there was none or it has not arrived, or if
  /// that is not known.
  public func base<Object: ManagedObject, Target: ManagedObject>(
    idOf relationship: KeyPath<Object, Target?>
  ) -> ObjectID<Target>? {
    id(relationship, in: values.base)
  }

  private func id<Object: ManagedObject, Target: ManagedObject>(
    _ relationship: KeyPath<Object, Target?>, in fields: Fields?
  ) -> ObjectID<Target>? {
    guard object.type == Object.self, let index = table.index(of: relationship), case .object(let id)? = fields?[index]
    else { return nil }
    return ObjectID(rawValue: id)
  }

  /// The members of a many-to-many relationship here. Nil if the relationship is not in conflict.
  public func mine<Object: ManagedObject, Target: ManagedObject>(
    idsOf relationship: KeyPath<Object, RelatedObjects<Target>>
  ) -> [ObjectID<Target>]? {
    members(relationship, in: values.mine)
  }

  /// The members of a many-to-many relationship that the server has, without those that have not arrived.
  public func theirs<Object: ManagedObject, Target: ManagedObject>(
    idsOf relationship: KeyPath<Object, RelatedObjects<Target>>
  ) -> [ObjectID<Target>]? {
    members(relationship, in: values.theirs)
  }

  private func members<Object: ManagedObject, Target: ManagedObject>(
    _ relationship: KeyPath<Object, RelatedObjects<Target>>, in fields: Fields?
  ) -> [ObjectID<Target>]? {
    guard object.type == Object.self, let index = table.index(of: relationship), case .list(let list)? = fields?[index]
    else { return nil }
    return list.rows.map { ObjectID(rawValue: $0) }
  }

  private func value<Object: ManagedObject, Value: AttributeValue>(
    _ attribute: KeyPath<Object, Value>, in fields: Fields?
  ) -> Value.Unwrapped? {
    guard object.type == Object.self, let index = table.index(of: attribute), case .plain(let value)? = fields?[index],
      value != .null
    else { return nil }
    return Value.Unwrapped._value(value)
  }
}

/// An object that the server has rejected.
public struct SyncRejection: Sendable {
  /// The object.
  public let object: SyncedObject
  /// What the server calls the object. Nil if it has not created it.
  public let key: SyncKey?
  /// Why: the text of ``SyncOutcome/rejected(_:)``, or a sentence of the engine's if a creation refers to what the
  /// server does not have, or was answered with the key of another object.
  public let reason: String
}
