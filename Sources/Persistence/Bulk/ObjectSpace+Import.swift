extension ObjectSpace {
  /// Inserts or updates many objects without instantiating them. Each row updates the object that has the row's value
  /// of a unique attribute, or inserts a new object if there is none.
  ///
  /// Rows are read one by one and written in batches, so memory does not grow with their number. Attributes without a
  /// field keep their values in existing objects and have their default values in new ones. Objects in memory receive
  /// the new values. Neither ``ManagedObject/didInsert()`` nor ``ManagedObject/validate()`` is called. If a row cannot
  /// be stored, nothing in the `persist` is stored.
  ///
  /// - Parameters:
  ///   - rows: The rows to import. Iterating over them must not use this context.
  ///   - type: The class.
  ///   - unique: An attribute that is declared unique and is set by a field. A row with a nil value for this attribute
  ///     always becomes a new object.
  ///   - fields: The values to store from each row. Each attribute can be set only once.
  /// - Throws: ``PersistenceError/unsupportedQuery(_:)`` if `unique` is not a unique attribute that a field sets, if a
  ///   field sets neither an attribute nor a to-one relationship, or if two fields set the same property;
  ///   ``PersistenceError/notUnique(_:)``, with an id of 0, if the value of another unique attribute already exists;
  ///   ``PersistenceError/invalidValue(_:)``, with the row number in place of an id, if a value cannot be stored;
  ///   ``PersistenceError/notPersisting`` if this is called outside `persist`.
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
