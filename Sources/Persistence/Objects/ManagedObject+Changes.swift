extension ManagedObject {
  /// The unsaved changes to the object's attributes, in the order in which the attributes are declared. Changes to
  /// to-one relationships are included, with the ids of the related objects, but changes to to-many relationships are
  /// not.
  ///
  /// Reading this property takes time proportional to the number of unsaved changes in the context.
  public final var changes: [AttributeChange] {
    #if DEBUG
    _checkIsolation(self)
    #endif
    return _table?.attributeChanges(of: self) ?? []
  }

  /// Whether the object has been inserted but not yet saved.
  public final var isInserted: Bool { _state & ObjectState.fresh != 0 && !isDeleted }
}

/// The change to an attribute or to-one relationship since its object was last saved, or in a commit.
///
/// The values are in their stored forms, but a `Decimal` is given as its digits, such as `-12.5`. To read the values in
/// the attribute's own type, use ``ObjectChange/values(of:)`` or create them with `init(stored:)`.
public struct AttributeChange: Sendable, Hashable {
  /// The name of the attribute or relationship.
  public let attribute: String
  /// The value in the store, or `null` for an object that is not stored yet.
  public let old: StoredValue
  /// The current value.
  public let new: StoredValue

  init(_ column: Column, old: StoredValue, new: StoredValue) {
    (attribute, self.old, self.new) = (column.property, column.readable(old), column.readable(new))
  }
}
