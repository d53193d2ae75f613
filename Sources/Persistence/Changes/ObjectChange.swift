/// What a commit has done to an object.
public enum ObjectChangeKind: UInt8, Sendable, Hashable, Codable {
  /// It is new.
  case inserted
  /// Attributes, or to-one relationships, have other values.
  case updated
  /// It is gone.
  case deleted
}

/// What a commit has done to one object.
public struct ObjectChange<Object: ManagedObject>: Sendable {
  private let changes: EntityChanges
  private let row: RowChange

  init(_ row: RowChange, in changes: EntityChanges) {
    self.row = row
    self.changes = changes
  }

  /// The object.
  public var id: ObjectID<Object> { ObjectID(rawValue: row.id) }

  /// What was done to it.
  public var kind: ObjectChangeKind { row.kind }

  /// The attributes, and to-one relationships, that have other values now, in the order of their declaration. Of an
  /// inserted object these are all, and the old values are `null`; of a deleted one all too, and the new values are
  /// `null`. None are told of a change that was made without objects.
  public var attributes: [AttributeChange] {
    changes.slots(of: row).map { slot in
      let values = changes.values(slot, of: row)
      return AttributeChange(
        attribute: changes.entity.columns[slot].property, old: values?.old ?? .null, new: values?.new ?? .null)
    }
  }

  /// The old and the new value of one attribute if it has changed: nil for none, as those of an inserted object were
  /// before.
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
