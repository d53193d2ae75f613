/// An attribute or to-one relationship that an import sets, with a closure that returns the value to set for each row.
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
