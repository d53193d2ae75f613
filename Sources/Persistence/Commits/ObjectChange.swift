/// The kind of change that a commit made to an object.
public enum ObjectChangeKind: UInt8, Sendable, Hashable, Codable {
  /// The object is new.
  case inserted
  /// Attributes or to-one relationships of the object have new values.
  case updated
  /// The object was deleted.
  case deleted
}

/// The change that a commit made to one object.
public struct ObjectChange<Object: ManagedObject>: Sendable {
  private let changes: EntityChanges
  private let row: RowChange

  init(_ row: RowChange, in changes: EntityChanges) {
    self.row = row
    self.changes = changes
  }

  /// The object's id.
  public var id: ObjectID<Object> { ObjectID(rawValue: row.id) }

  /// Whether the object was inserted, updated or deleted.
  public var kind: ObjectChangeKind { row.kind }

  /// The attributes and to-one relationships that changed, with their old and new values, in declaration order.
  ///
  /// For an inserted or deleted object, the array contains all attributes and to-one relationships. The old values of
  /// an inserted object and the new values of a deleted object are `null`. If the change was made without instantiating
  /// the object, the array is empty.
  public var attributes: [AttributeChange] {
    changes.slots(of: row).map { slot in
      let (values, column) = (changes.values(slot, of: row), changes.entity.columns[slot])
      return AttributeChange(column, old: values?.old ?? .null, new: values?.new ?? .null)
    }
  }

  /// Returns the old and new values of one attribute, or nil if the attribute did not change or the change was made
  /// without instantiating the object. The old value of an inserted object and the new value of a deleted object are
  /// nil.
  public func values<Value: AttributeValue>(
    of path: any KeyPath<Object, Value> & Sendable
  ) -> (old: Value?, new: Value?)? {
    guard case .attribute(let slot) = changes.entity.property(at: path), row.mask.contains(slot),
      let values = changes.values(slot, of: row)
    else { return nil }
    return (
      row.kind == .inserted ? nil : Value(stored: values.old), row.kind == .deleted ? nil : Value(stored: values.new)
    )
  }
}
