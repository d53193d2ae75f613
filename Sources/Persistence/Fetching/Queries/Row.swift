/// An object in a condition: the `$0` of the closures that are passed as `where:`.
///
/// ```swift
/// let found = try objects.fetch(Movie.self, where: { $0.kind == .film && $0.director.name == "Coen" })
/// ```
///
/// Its members are the properties of the class, as ``Term`` values. A row can be used only in the closure that receives
/// it, and in closures within that one. A query that uses it anywhere else fails with
/// ``PersistenceError/unsupportedQuery(_:)``.
@dynamicMemberLookup
public struct Row<Root: ManagedObject> {
  let _number: RowNumber

  /// A property of the object.
  public subscript<Value>(dynamicMember path: any KeyPath<Root, Value> & Sendable) -> Term<Root, Value> {
    Term(.property(path, of: 0), depth: 0, row: _number)
  }
}

@available(*, unavailable, message: "a row can be used only in the closure that receives it")
extension Row: Sendable {}

extension Row {
  /// Calls a closure with a new row, which becomes scope 0 of the resulting condition.
  ///
  /// - Parameter isNested: Whether the closure can also use the rows of the closures around it.
  @inline(__always)
  static func condition(isNested: Bool, _ body: (Row) -> Query<Root>) -> Query<Root> {
    let outer = RowFrame.innermost
    var frame = RowFrame(number: .next(), outer: isNested ? outer : nil)
    return withUnsafeMutablePointer(to: &frame) { pointer in
      RowFrame.innermost = UnsafePointer(pointer)
      defer { RowFrame.innermost = outer }
      let condition = body(Row(_number: pointer.pointee.number)).inInnermostRow
      return Query(condition.asCondition, depth: max(1, condition.depth))
    }
  }
}
