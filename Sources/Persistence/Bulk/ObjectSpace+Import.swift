extension ObjectSpace {
  /// Stores many objects without making them: of each row, the object with the row's value of a unique attribute is
  /// changed, or a new one inserted if there is none.
  ///
  /// Rows are taken one after the other, and written several at a time; memory does not grow with their number.
  /// Attributes that no field sets keep their values, and in new objects have those that they have at first. Objects
  /// that are in memory take the new values. Neither ``ManagedObject/didInsert()`` nor ``ManagedObject/validate()`` is
  /// called. If a row cannot be stored, nothing of the `persist` is.
  ///
  /// - Parameters:
  ///   - rows: What is imported. Iterating it must not use this context.
  ///   - type: The class.
  ///   - unique: An attribute that is declared unique, and that a field sets. A row whose value of it is nil is always
  ///     new.
  ///   - fields: What the rows set, each attribute once.
  /// - Throws: ``PersistenceError/refused(_:)`` if `unique` is not unique, or a field is no attribute;
  ///   ``PersistenceError/notUnique(_:)``, with the id 0, if another unique attribute's value is taken;
  ///   ``PersistenceError/invalidValue(_:)``, with the number of the row in place of an id, if a value cannot be
  ///   stored; ``PersistenceError/notPersisting`` outside of `persist`.
  @discardableResult @inlinable
  public func `import`<Object: ManagedObject, Rows: Sequence, Key: AttributeValue>(
    _ rows: Rows, into type: Object.Type, matching unique: KeyPath<Object, Key>,
    _ fields: [ImportField<Object, Rows.Element>]
  ) throws(PersistenceError) -> ImportReport {
    let importer = try RowImporter(self, Object.self, matching: unique, fields.map(\.keyPath))
    do throws(PersistenceError) {
      var batch: [Rows.Element] = []
      batch.reserveCapacity(RowImporter.batch)
      for row in rows {
        batch.append(row)
        if batch.count < RowImporter.batch { continue }
        try importer.write(batch, fields)
        batch.removeAll(keepingCapacity: true)
      }
      for row in batch { try importer.write([row], fields) }
      return try importer.finish()
    } catch {
      importer.fail(error)
      throw error
    }
  }
}
