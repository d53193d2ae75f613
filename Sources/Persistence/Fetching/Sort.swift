/// A sort key for fetched objects: an attribute, or any other value that a condition can refer to.
///
/// ```swift
/// try objects.fetch(Movie.self, sort: [.descending(\.popularity), .ascending(\.title)])
/// try objects.fetch(Movie.self, sort: [.ascending { $0.director.name }, .descending(\.rating, nulls: .first)])
/// try objects.fetch(Director.self, sort: [.descending { $0.movies.count { $0.seen } }])
/// ```
///
/// Strings sort by their UTF-8 bytes, `false` sorts before `true`, and nil sorts before all other values, unless
/// `nulls` specifies otherwise. If there is no related object, its attributes are treated as nil. Objects with equal
/// values for all keys are sorted by id, which makes the order deterministic.
///
/// An index can provide the sort order for an attribute. For any other key, the store calculates the keys of all
/// matching objects and sorts them.
public struct Sort<Object: ManagedObject>: Sendable {
  /// The position of nil in the sort order.
  public enum Nulls: Sendable, Hashable {
    /// Before all other values.
    case first
    /// After all other values.
    case last
  }

  /// The object is its scope 0.
  let key: QueryExpression
  let isDescending: Bool
  /// nil for the order of SQLite, in which nil is the smallest value.
  let nulls: Nulls?

  /// Sorts from the smallest value to the largest.
  ///
  /// Nil comes first, unless `nulls` is ``Nulls/last``.
  public static func ascending<Value: AttributeValue>(
    _ keyPath: any KeyPath<Object, Value> & Sendable, nulls: Nulls? = nil
  ) -> Sort {
    Sort(key: .property(keyPath, of: 0), isDescending: false, nulls: nulls)
  }

  /// Sorts from the largest value to the smallest.
  ///
  /// Nil comes last, unless `nulls` is ``Nulls/first``.
  public static func descending<Value: AttributeValue>(
    _ keyPath: any KeyPath<Object, Value> & Sendable, nulls: Nulls? = nil
  ) -> Sort {
    Sort(key: .property(keyPath, of: 0), isDescending: true, nulls: nulls)
  }

  /// Sorts from the smallest value of a term to the largest, as in `.ascending { $0.director.name }`.
  ///
  /// Nil comes first, unless `nulls` is ``Nulls/last``.
  public static func ascending<Value: QueryValue>(
    nulls: Nulls? = nil, by term: (Row<Object>) -> Term<Object, Value>
  ) -> Sort {
    Sort(key: SelectedTerm.one(term).expression, isDescending: false, nulls: nulls)
  }

  /// Sorts from the largest value of a term to the smallest, as in `.descending { $0.movies.count }`.
  ///
  /// Nil comes last, unless `nulls` is ``Nulls/first``.
  public static func descending<Value: QueryValue>(
    nulls: Nulls? = nil, by term: (Row<Object>) -> Term<Object, Value>
  ) -> Sort {
    Sort(key: SelectedTerm.one(term).expression, isDescending: true, nulls: nulls)
  }

  /// Sorts by a text, ignoring case and diacritics, as in `.ascending { $0.title.folded }`.
  ///
  /// With ``AttributeOption/folded``, an index provides the sort order. Nil comes first, unless `nulls` is
  /// ``Nulls/last``.
  public static func ascending(
    nulls: Nulls? = nil, by text: (Row<Object>) -> FoldedText<Object>
  ) -> Sort {
    Sort(key: SelectedTerm.one { text($0).value }.expression, isDescending: false, nulls: nulls)
  }

  /// Sorts by a text in reverse order, ignoring case and diacritics, as in `.descending { $0.title.folded }`.
  ///
  /// With ``AttributeOption/folded``, an index provides the sort order. Nil comes last, unless `nulls` is
  /// ``Nulls/first``.
  public static func descending(
    nulls: Nulls? = nil, by text: (Row<Object>) -> FoldedText<Object>
  ) -> Sort {
    Sort(key: SelectedTerm.one { text($0).value }.expression, isDescending: true, nulls: nulls)
  }

  /// Whether nil is not where SQLite sorts it.
  var movesNulls: Bool { nulls.map { ($0 == .last) != isDescending } ?? false }

  /// The key path, if the key is a property of the object itself.
  var keyPath: AnyKeyPath? { if case .property(let path, of: 0) = key { path } else { nil } }
}
