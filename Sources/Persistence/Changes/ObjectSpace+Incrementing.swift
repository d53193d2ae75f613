extension ObjectSpace {
  /// Adds to a number, so that increments by several contexts add up.
  ///
  /// ```swift
  /// try await context.persist { objects in
  ///   try objects.increment(objects.object(id), \.views)
  /// }
  /// ```
  ///
  /// The object shows the sum at once. If another context has changed the number by the time it is saved, the amount is
  /// added to that context's value, and there is no conflict. As soon as the attribute is also assigned in the same
  /// closure, the value counts, as for any other change.
  ///
  /// - Parameters:
  ///   - object: the object that has the number.
  ///   - attribute: the number.
  ///   - amount: what is added. It may be negative.
  /// - Throws: ``PersistenceError/invalidValue(_:)`` if the sum exceeds what the attribute can hold;
  ///   ``PersistenceError/refused(_:)`` if the key path leads to no attribute;
  ///   ``PersistenceError/foreignObject(type:)``; ``PersistenceError/wrongContext``. An increment of a deleted object
  ///   fails the save, like any edit of it.
  public func increment<Object: ManagedObject, Value: AttributeValue & AdditiveArithmetic>(
    _ object: Object, _ attribute: KeyPath<Object, Value>, by amount: Value
  ) throws(PersistenceError) {
    guard isIsolated else { throw .wrongContext }
    guard let table = object._tableReference?.takeUnretainedValue(), table.space === self else {
      throw .foreignObject(type: "\(Object.self)")
    }
    guard case .attribute(let slot) = table.entity.property(at: attribute) else {
      throw .refused(QueryRefusal("\(attribute)", "is no attribute of \(table.entity.name)"))
    }
    if amount == .zero { return }
    if object.isDeleted {
      let base = table.value(slot, of: object)
      let property = table.entity.columns[slot].property
      return table.refuse(object, property, base: base, mine: base.adding(amount.stored) ?? base)
    }
    try table.add(amount.stored, to: slot, of: object)
  }

  /// Adds 1 to a number, so that increments by several contexts add up. See ``increment(_:_:by:)``.
  public func increment<Object: ManagedObject, Value: AttributeValue & BinaryInteger>(
    _ object: Object, _ attribute: KeyPath<Object, Value>
  ) throws(PersistenceError) {
    try increment(object, attribute, by: 1)
  }
}
