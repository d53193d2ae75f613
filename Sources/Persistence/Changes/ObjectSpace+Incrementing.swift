extension ObjectSpace {
  /// Adds an amount to a number without overwriting increments by other contexts.
  ///
  /// ```swift
  /// try await context.persist { objects in
  ///   try objects.increment(objects.object(id), \.views)
  /// }
  /// ```
  ///
  /// The object shows the sum immediately. If another context has changed the number by the time of the save, the
  /// amount is added to that context's value, and there is no conflict. If the attribute is also assigned in the same
  /// closure, the save treats the result as an ordinary change to a value.
  ///
  /// - Parameters:
  ///   - object: The object that the number belongs to.
  ///   - attribute: The attribute that holds the number.
  ///   - amount: The amount to add. It can be negative.
  /// - Throws: ``PersistenceError/invalidValue(_:)`` if the sum exceeds the attribute's range;
  ///   ``PersistenceError/unsupportedQuery(_:)`` if the key path does not refer to an attribute;
  ///   ``PersistenceError/foreignObject(type:)`` if the object belongs to another context, or to no context;
  ///   ``PersistenceError/wrongContext`` if this is called outside the context's isolation. Incrementing a deleted
  ///   object makes the save fail, like any other edit of a deleted object.
  public func increment<Object: ManagedObject, Value: AttributeValue & Numeric>(
    _ object: Object, _ attribute: KeyPath<Object, Value>, by amount: Value = 1
  ) throws(PersistenceError) {
    guard isIsolated else { throw .wrongContext }
    guard let table = object._tableReference?.takeUnretainedValue(), table.space === self else {
      throw .foreignObject(type: "\(Object.self)")
    }
    guard case .attribute(let slot) = table.entity.property(at: attribute) else {
      throw .unsupportedQuery(UnsupportedQueryError("\(attribute)", "is not an attribute of \(table.entity.name)"))
    }
    if amount == .zero { return }
    if object.isDeleted {
      let base = table.value(slot, of: object)
      let property = table.entity.columns[slot].property
      return table.refuse(object, property, base: base, mine: base.adding(amount.stored) ?? base)
    }
    try table.add(amount.stored, to: slot, of: object)
  }
}
