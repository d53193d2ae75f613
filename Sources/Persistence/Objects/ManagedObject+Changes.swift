extension ManagedObject {
  /// The attributes whose values differ from those in the store, in the order of their declaration. A to-one
  /// relationship is among them with the id of its object; to-many relationships are not.
  ///
  /// It costs a walk over all that has changed in the context.
  public final var changes: [AttributeChange] {
    #if DEBUG
    _checkIsolation(self)
    #endif
    return _table?.attributeChanges(of: self) ?? []
  }

  /// Whether the object was inserted, and not saved yet.
  public final var isInserted: Bool { _state & ObjectState.fresh != 0 && !isDeleted }
}
