/// An object in a condition: the `$0` in the closures passed as `where:` arguments.
///
/// ```swift
/// let found = try objects.fetch(Movie.self, where: { $0.kind == .film && $0.director.name == "Coen" })
/// ```
///
/// Its members are the class's properties, as ``Term`` values. A row can be used only in the closure that receives it
/// and in closures nested within that closure. A query that uses a row anywhere else fails with
/// ``PersistenceError/unsupportedQuery(_:)``.
@dynamicMemberLookup
public struct Row<Root: ManagedObject> {
  @usableFromInline let _number: RowNumber

  @inlinable init(_number: RowNumber) { self._number = _number }

  /// A property of the object.
  @inlinable public subscript<Value>(dynamicMember path: any KeyPath<Root, Value> & Sendable) -> Term<Root, Value> {
    Term(ScopedExpression(path, of: _number))
  }
}

@available(*, unavailable, message: "a row can be used only in the closure that receives it")
extension Row: Sendable {}
