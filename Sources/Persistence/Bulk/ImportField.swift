/// An attribute or relationship that an import sets, with a closure that returns the value to set for each row.
///
/// ```swift
/// try objects.import(movies, into: Movie.self, matching: \.remoteID, [
///   .set(\.remoteID) { $0.id },
///   .set(\.title) { $0.title },
///   .set(\.popularity) { $0.popularity },
/// ])
/// ```
public struct ImportField<Object: ManagedObject, Row> {
  @usableFromInline let keyPath: AnyKeyPath
  /// How a relationship's objects are found. Nil for attributes and for ids.
  @usableFromInline var lookup: ImportLookup?
  /// Binds the row's value to the import's statement and returns SQLite's result code.
  @usableFromInline let bind: (Row, RowImporter) -> Int32
  /// Why a value cannot be stored, for the error.
  @usableFromInline let refusal: (Row) -> String?

  /// Sets an attribute to the value that the closure returns for a row.
  public static func set<Value: AttributeValue>(
    _ attribute: KeyPath<Object, Value>, _ value: @escaping (Row) -> Value
  ) -> ImportField {
    ImportField(keyPath: attribute, bind: binding(value)) { row in
      if case .unstorable(let reason) = value(row).stored { reason } else { nil }
    }
  }

  /// Sets a to-one relationship to the object with the id that the closure returns for a row. If there is no object
  /// with that id, the save fails.
  public static func set<Target: ManagedObject>(
    _ relationship: KeyPath<Object, Target?>, id: @escaping (Row) -> ObjectID<Target>?
  ) -> ImportField {
    ImportField(keyPath: relationship) { row, importer in
      id(row).map { importer.put($0.rawValue) } ?? importer.putNull()
    } refusal: { _ in
      nil
    }
  }

  /// Sets a to-one relationship to the object that has the value that the closure returns for a row, or to nil.
  ///
  /// ```swift
  /// try objects.import(movies, into: Movie.self, matching: \.remoteID, [
  ///   .set(\.remoteID) { $0.id },
  ///   .set(\.director, matching: \.name) { $0.director },
  /// ])
  /// ```
  ///
  /// The object can be in the store, have unsaved changes, or be created by any row of the same import. If there is no
  /// such object, the import throws ``PersistenceError/invalidValue(_:)``, which names the relationship and the number
  /// of the row.
  ///
  /// - Parameters:
  ///   - relationship: A relationship whose inverse is to-many.
  ///   - attribute: A unique attribute of the related class.
  ///   - ignoringUnknown: Whether to set the relationship to nil if there is no such object. ``ImportReport/unknown``
  ///     counts these values.
  ///   - value: A closure that returns the value of the unique attribute, or nil.
  public static func set<Target: ManagedObject, Key: AttributeValue>(
    _ relationship: KeyPath<Object, Target?>, matching attribute: KeyPath<Target, Key>, ignoringUnknown: Bool = false,
    _ value: @escaping (Row) -> Key.Unwrapped?
  ) -> ImportField {
    ImportField(keyPath: relationship, lookup: ImportLookup(attribute: attribute, ignoresUnknown: ignoringUnknown)) {
      row, importer in
      importer.putKey(value(row)?._operand ?? .null)
    } refusal: { row in
      if case .unstorable(let reason) = value(row)?._operand { reason } else { nil }
    }
  }

  /// Replaces the members of a to-many relationship with the objects that have the values that the closure returns for
  /// a row. The members of an ordered relationship are then in the order of the values. If a value occurs more than
  /// once, only its first occurrence counts.
  ///
  /// The members are set when all rows are written. If several rows list the same object in a relationship whose
  /// inverse is to-one, the object becomes a member for the last of them. In all other respects, this method behaves
  /// like the variant for to-one relationships.
  public static func set<Target: ManagedObject, Key: AttributeValue>(
    _ relationship: KeyPath<Object, RelatedObjects<Target>>, matching attribute: KeyPath<Target, Key>,
    ignoringUnknown: Bool = false, _ values: @escaping (Row) -> some Sequence<Key.Unwrapped>
  ) -> ImportField {
    ImportField(keyPath: relationship, lookup: ImportLookup(attribute: attribute, ignoresUnknown: ignoringUnknown)) {
      row, importer in
      importer.putKeys(values(row).map(\._operand))
    } refusal: { row in
      for case .unstorable(let reason) in values(row).lazy.map(\._operand) { return reason }
      return nil
    }
  }

  /// Binds the most common types directly to SQLite, and others through their stored form. The type is tested only
  /// once.
  private static func binding<Value: AttributeValue>(
    _ value: @escaping (Row) -> Value
  ) -> (Row, RowImporter) -> Int32 {
    if let value = value as? (Row) -> String { return { row, importer in importer.put(value(row)) } }
    if let value = value as? (Row) -> Int64 { return { row, importer in importer.put(value(row)) } }
    if let value = value as? (Row) -> Int { return { row, importer in importer.put(Int64(value(row))) } }
    if let value = value as? (Row) -> Double { return { row, importer in importer.put(value(row)) } }
    if let value = value as? (Row) -> String? {
      return { row, importer in value(row).map { importer.put($0) } ?? importer.putNull() }
    }
    if let value = value as? (Row) -> Int64? {
      return { row, importer in value(row).map { importer.put($0) } ?? importer.putNull() }
    }
    if let value = value as? (Row) -> Double? {
      return { row, importer in value(row).map { importer.put($0) } ?? importer.putNull() }
    }
    return { row, importer in importer.put(value(row).stored) }
  }
}

/// The unique attribute by which an import finds the objects of a relationship.
@usableFromInline struct ImportLookup {
  let attribute: AnyKeyPath
  let ignoresUnknown: Bool
}
