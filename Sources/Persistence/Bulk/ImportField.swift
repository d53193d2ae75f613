/// What an import puts into one attribute, or to-one relationship, of each object.
///
/// ```swift
/// try objects.import(movies, into: Movie.self, matching: \.remoteID, [
///   .set(\.remoteID) { $0.id }, .set(\.title) { $0.title }, .set(\.popularity) { $0.popularity },
/// ])
/// ```
public struct ImportField<Object: ManagedObject, Row> {
  let keyPath: AnyKeyPath
  /// Binds the row's value to a parameter, and answers SQLite's code.
  let bind: (Row, Statement, Int32, UnsafeMutablePointer<TextArena>) -> Int32
  /// Why a value cannot be stored, for an error.
  let refusal: (Row) -> String?

  /// An attribute's value.
  public static func set<Value: AttributeValue>(
    _ attribute: KeyPath<Object, Value>, _ value: @escaping (Row) -> Value
  ) -> ImportField {
    ImportField(keyPath: attribute, bind: binding(value)) { row in
      if case .unstorable(let reason) = value(row).stored { reason } else { nil }
    }
  }

  /// The object that a to-one relationship leads to. That it is there is checked when all is saved.
  public static func set<Target: ManagedObject>(
    _ relationship: KeyPath<Object, Target?>, id: @escaping (Row) -> ObjectID<Target>?
  ) -> ImportField {
    ImportField(keyPath: relationship) { row, statement, index, _ in
      id(row).map { statement.bind($0.rawValue, at: index) } ?? statement.bindNull(at: index)
    } refusal: { _ in
      nil
    }
  }

  /// The commonest types go straight to SQLite, the others by way of their stored form. Which it is is asked once.
  private static func binding<Value: AttributeValue>(
    _ value: @escaping (Row) -> Value
  ) -> (Row, Statement, Int32, UnsafeMutablePointer<TextArena>) -> Int32 {
    if let text = value as? (Row) -> String {
      return { row, statement, index, arena in
        var text = text(row)
        return arena.pointee.bind(&text, to: statement, at: index)
      }
    }
    if let text = value as? (Row) -> String? {
      return { row, statement, index, arena in
        guard var text = text(row) else { return statement.bindNull(at: index) }
        return arena.pointee.bind(&text, to: statement, at: index)
      }
    }
    if let integer = value as? (Row) -> Int64 {
      return { row, statement, index, _ in statement.bind(integer(row), at: index) }
    }
    if let integer = value as? (Row) -> Int {
      return { row, statement, index, _ in statement.bind(Int64(integer(row)), at: index) }
    }
    if let integer = value as? (Row) -> Int64? {
      return { row, statement, index, _ in
        integer(row).map { statement.bind($0, at: index) } ?? statement.bindNull(at: index)
      }
    }
    if let real = value as? (Row) -> Double {
      return { row, statement, index, _ in
        let real = real(row)
        return real.isNaN ? Statement.unstorable : statement.bind(real, at: index)
      }
    }
    if let real = value as? (Row) -> Double? {
      return { row, statement, index, _ in
        guard let real = real(row) else { return statement.bindNull(at: index) }
        return real.isNaN ? Statement.unstorable : statement.bind(real, at: index)
      }
    }
    return { row, statement, index, _ in statement.bind(value(row).stored, at: index) }
  }
}
