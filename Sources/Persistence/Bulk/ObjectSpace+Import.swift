extension ObjectSpace {
  /// Inserts or updates many objects without instantiating them. Each row updates the object whose unique attribute has
  /// the same value as the row, or inserts a new object if there is none.
  ///
  /// Rows are read one by one and written in batches, so memory use does not grow with the number of rows. Attributes
  /// that no field sets are left unchanged in existing objects and receive their default values in new objects. Objects
  /// in memory receive the new values. Neither ``ManagedObject/didInsert()`` nor ``ManagedObject/validate()`` is
  /// called. If a row cannot be stored, none of the enclosing `persist` call's changes are stored.
  ///
  /// - Parameters:
  ///   - rows: The rows to import. Iterating over the rows must not use this context.
  ///   - type: The class.
  ///   - unique: A unique attribute that one of the fields sets. A row with a nil value for this attribute always
  ///     becomes a new object.
  ///   - fields: The values to store from each row. Each attribute can be set only once.
  /// - Throws: ``PersistenceError/unsupportedQuery(_:)`` if `unique` is not a unique attribute that a field sets, if a
  ///   field sets neither an attribute nor a to-one relationship, or if two fields set the same property;
  ///   ``PersistenceError/notUnique(_:)``, with an id of 0, if another object already has the row's value for a
  ///   different unique attribute; ``PersistenceError/invalidValue(_:)``, with the row number in place of an id, if a
  ///   value cannot be stored; ``PersistenceError/notPersisting`` if this is called outside `persist`.
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

/// The result of an import.
public struct ImportReport: Sendable, Hashable {
  /// The number of imported rows.
  public let rows: Int
  /// The number of rows that became new objects. The other rows updated existing objects or objects that earlier rows
  /// of the same import had created.
  public let inserted: Int
}
