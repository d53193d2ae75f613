extension ManagedObject {
  /// The attributes whose values differ from those in the store, in declaration order. To-one relationships are
  /// included, with the ids of their objects, but to-many relationships are not.
  ///
  /// Reading this property takes time proportional to the number of changes in the context.
  public final var changes: [AttributeChange] {
    #if DEBUG
    _checkIsolation(self)
    #endif
    return _table?.attributeChanges(of: self) ?? []
  }

  /// Whether the object has been inserted but not yet saved.
  public final var isInserted: Bool { _state & ObjectState.fresh != 0 && !isDeleted }
}

/// The change to an attribute or to-one relationship since its object was last saved.
public struct AttributeChange: Sendable, Hashable {
  /// The property.
  public let attribute: String
  /// The value in the store, or `null` for an object that is not stored yet.
  public let old: StoredValue
  /// The current value.
  public let new: StoredValue
}
