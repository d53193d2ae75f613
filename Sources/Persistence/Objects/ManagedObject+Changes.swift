extension ManagedObject {
  /// The attributes whose values differ from those in the store, in the order in which they are declared. This includes
  /// to-one relationships, with the ids of their objects, but not to-many relationships.
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
