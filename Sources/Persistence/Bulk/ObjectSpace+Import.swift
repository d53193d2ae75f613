extension ObjectSpace {
  /// Inserts or updates many objects without instantiating them. If an object already has a row's value for the unique
  /// attribute, that object is updated. Otherwise, a new object is inserted.
  ///
  /// Rows are read one by one and written in batches, so memory use does not grow with the number of rows. Attributes
  /// that no field sets are left unchanged in existing objects and receive their default values in new objects. Objects
  /// that are already in memory receive the imported values. What a field's closure changes in an object is stored
  /// before the row. Neither ``ManagedObject/didInsert()`` nor ``ManagedObject/validate()`` is called. If any row
  /// cannot be stored, the enclosing `persist` call fails, and none of its changes are stored.
  ///
  /// - Parameters:
  ///   - rows: The rows to import. The sequence must not use this context while it produces the rows.
  ///   - type: The class of the objects.
  ///   - unique: The unique attribute that identifies existing objects. One of the fields must set this attribute. For
  ///     a row with a nil value for this attribute, a new object is always inserted.
  ///   - fields: The attributes and relationships to set. Each attribute or relationship can be set by only one field.
  /// - Throws: ``PersistenceError/unsupportedQuery(_:)`` if `unique` is not a unique attribute, if no field sets it, if
  ///   a field sets neither an attribute nor a relationship, sets a one-to-one relationship, or finds related objects
  ///   by an attribute that is not unique, or if two fields set the same property; ``PersistenceError/notUnique(_:)``,
  ///   with an id of 0, if another object already has the row's value for a different unique attribute;
  ///   ``PersistenceError/invalidValue(_:)``, with the row number in place of an id, if a value cannot be stored or a
  ///   related object does not exist; ``PersistenceError/notPersisting`` if the method is called outside `persist`.
  @discardableResult @inlinable
  public func `import`<Object: ManagedObject, Rows: Sequence, Key: AttributeValue>(
    _ rows: Rows, into type: Object.Type, matching unique: KeyPath<Object, Key>,
    _ fields: [ImportField<Object, Rows.Element>]
  ) throws(PersistenceError) -> ImportReport {
    let importer = try RowImporter(self, Object.self, matching: unique, fields.map(\.keyPath), fields.map(\.lookup))
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

/// The number of rows that an import stored, and how many of them became new objects.
public struct ImportReport: Sendable, Hashable {
  /// The number of imported rows.
  public let rows: Int
  /// The number of rows that became new objects. The values of all other rows were stored in objects that already
  /// existed or that had been created from earlier rows.
  public let inserted: Int
  /// The number of values of related objects for which there is no object, in fields that ignore them.
  public let unknown: Int
}
