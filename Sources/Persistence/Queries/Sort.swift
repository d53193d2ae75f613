/// Sorts fetched objects by an attribute, or by any other value that can be used in a condition.
///
/// ```swift
/// try objects.fetch(Movie.self, sort: [.descending(\.popularity), .ascending(\.title)])
/// try objects.fetch(Movie.self, sort: [.ascending { $0.director.name }, .descending(\.rating, nulls: .first)])
/// try objects.fetch(Director.self, sort: [.descending { $0.movies.count { $0.seen } }])
/// ```
///
/// Strings are compared by their UTF-8 bytes, and `false` is less than `true`. Nil is less than all other values,
/// unless `nulls` specifies its position. If an object has no related object, a sort key that reads an attribute of the
/// related object is nil. Objects with equal values for all sort keys are sorted by id, which makes the order
/// deterministic.
///
/// If an index contains the sort key, the store can read the objects in the order of the index. Otherwise, it
/// calculates the sort key of every matching object and then sorts the objects.
public struct Sort<Object: ManagedObject>: Sendable {
  /// The position of nil in the sort order.
  public enum Nulls: Sendable, Hashable {
    /// Nil comes before all other values.
    case first
    /// Nil comes after all other values.
    case last
  }

  /// The object is its scope 0.
  let key: QueryExpression
  let isDescending: Bool
  /// nil for the order of SQLite, in which nil is the smallest value.
  let nulls: Nulls?

  /// Sorts by an attribute, from the smallest value to the largest.
  ///
  /// Nil comes first, unless `nulls` is ``Nulls/last``.
  public static func ascending<Value: AttributeValue>(
    _ keyPath: any KeyPath<Object, Value> & Sendable, nulls: Nulls? = nil
  ) -> Sort {
    Sort(key: .property(keyPath, of: 0), isDescending: false, nulls: nulls)
  }

  /// Sorts by an attribute, from the largest value to the smallest.
  ///
  /// Nil comes last, unless `nulls` is ``Nulls/first``.
  public static func descending<Value: AttributeValue>(
    _ keyPath: any KeyPath<Object, Value> & Sendable, nulls: Nulls? = nil
  ) -> Sort {
    Sort(key: .property(keyPath, of: 0), isDescending: true, nulls: nulls)
  }

  /// Sorts by a term in ascending order, as in `.ascending { $0.director.name }`.
  ///
  /// Nil comes first, unless `nulls` is ``Nulls/last``.
  public static func ascending<Value: QueryValue>(
    nulls: Nulls? = nil, by term: (Row<Object>) -> Term<Object, Value>
  ) -> Sort {
    Sort(key: SelectedTerm.one(term).expression, isDescending: false, nulls: nulls)
  }

  /// Sorts by a term in descending order, as in `.descending { $0.movies.count }`.
  ///
  /// Nil comes last, unless `nulls` is ``Nulls/first``.
  public static func descending<Value: QueryValue>(
    nulls: Nulls? = nil, by term: (Row<Object>) -> Term<Object, Value>
  ) -> Sort {
    Sort(key: SelectedTerm.one(term).expression, isDescending: true, nulls: nulls)
  }

  /// Sorts by text in ascending order, ignoring case and diacritics, as in `.ascending { $0.title.folded }`.
  ///
  /// If the attribute has the ``AttributeOption/folded`` option, an index provides the sort order. Nil comes first,
  /// unless `nulls` is ``Nulls/last``.
  public static func ascending(
    nulls: Nulls? = nil, by text: (Row<Object>) -> FoldedText<Object>
  ) -> Sort {
    Sort(key: SelectedTerm.one { text($0).value }.expression, isDescending: false, nulls: nulls)
  }

  /// Sorts by text in descending order, ignoring case and diacritics, as in `.descending { $0.title.folded }`.
  ///
  /// If the attribute has the ``AttributeOption/folded`` option, an index provides the sort order. Nil comes last,
  /// unless `nulls` is ``Nulls/first``.
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
