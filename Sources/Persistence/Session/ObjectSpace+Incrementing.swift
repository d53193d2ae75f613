extension ObjectSpace {
  /// Adds an amount to a numeric attribute without overwriting increments made by other contexts.
  ///
  /// ```swift
  /// try await context.persist { objects in
  ///   try objects.increment(objects.object(id), \.views)
  /// }
  /// ```
  ///
  /// The attribute has its new value immediately. If another context changes the attribute before this context saves,
  /// the save adds the amount to the other context's value, and no conflict occurs. If the same closure also assigns a
  /// value to the attribute, the save treats the result as an ordinary assignment, which can conflict with changes made
  /// by other contexts.
  ///
  /// - Parameters:
  ///   - object: The object that has the attribute.
  ///   - attribute: The numeric attribute to increment.
  ///   - amount: The amount to add, which can be negative.
  /// - Throws: ``PersistenceError/invalidValue(_:)`` if the sum is outside the attribute's range;
  ///   ``PersistenceError/unsupportedQuery(_:)`` if the key path does not refer to an attribute;
  ///   ``PersistenceError/foreignObject(type:)`` if the object belongs to another context, or to no context;
  ///   ``PersistenceError/wrongContext`` if the method is called outside the context's isolation. Incrementing an
  ///   attribute of a deleted object makes the save fail, as does any other change to a deleted object.
  public func increment<Object: ManagedObject, Value: AttributeValue & Numeric>(
    _ object: Object, _ attribute: KeyPath<Object, Value>, by amount: Value = 1
  ) throws(PersistenceError) {
    guard isIsolated else { throw .wrongContext }
    guard let registry = object._ownRegistry, registry.space === self else {
      throw .foreignObject(type: "\(Object.self)")
    }
    guard case .attribute(let slot) = registry.entity.property(at: attribute) else {
      throw .unsupportedQuery(.unknown(attribute, in: registry.entity, "an attribute"))
    }
    if amount == .zero { return }
    if object.isDeleted {
      let base = registry.value(slot, of: object)
      let property = registry.entity.columns[slot].property
      return registry.refuse(object, property, base: base, mine: base.adding(amount.stored) ?? base)
    }
    try registry.add(amount.stored, to: slot, of: object)
    observed?.notify()
  }
}
