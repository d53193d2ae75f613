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
