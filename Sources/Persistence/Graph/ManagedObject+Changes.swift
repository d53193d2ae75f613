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
    return _registry?.attributeChanges(of: self) ?? []
  }

  /// Whether the object has been inserted but not yet saved.
  public final var isInserted: Bool { _state & ObjectState.fresh != 0 && !isDeleted }
}
