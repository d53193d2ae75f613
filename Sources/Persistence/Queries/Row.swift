/// A placeholder for an object in a condition: the `$0` in a closure that is passed as a `where:` argument.
///
/// ```swift
/// let found = try objects.fetch(Movie.self, where: { $0.kind == .film && $0.director.name == "Coen" })
/// ```
///
/// A row has the same properties as the object's class, but each property is a ``Term``. A row can be used only in the
/// closure that receives it and in closures inside that closure. A query that uses a row anywhere else fails with
/// ``PersistenceError/unsupportedQuery(_:)``.
@dynamicMemberLookup
public struct Row<Root: ManagedObject> {
  @usableFromInline let _number: RowNumber

  @inlinable init(_number: RowNumber) { self._number = _number }

  /// A term for a property of the object.
  @inlinable public subscript<Value>(dynamicMember path: any KeyPath<Root, Value> & Sendable) -> Term<Root, Value> {
    Term(ScopedExpression(path, of: _number))
  }
}

@available(*, unavailable, message: "a row can be used only in the closure that receives it")
extension Row: Sendable {}
