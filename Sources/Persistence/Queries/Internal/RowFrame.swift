internal import CLarderThreadSlot

/// Identifies the row that one call of a closure receives. No two calls in a process have the same number.
@usableFromInline struct RowNumber: Hashable, Sendable {
  private let value: UInt64

  /// The number of no row.
  static let none = RowNumber(value: 0)

  @inline(__always) static func next() -> RowNumber { RowNumber(value: larder_next_row()) }
}

/// The row of a closure that is being called on this thread. The closures around it are its `outer` frames.
struct RowFrame {
  let number: RowNumber
  let outer: UnsafePointer<RowFrame>?

  /// The frame of the innermost closure, or nil outside of these closures. It is on the stack of the closure's caller,
  /// and is therefore valid while the closure runs.
  static var innermost: UnsafePointer<RowFrame>? {
    @inline(__always) get { larder_thread_rows().map { UnsafePointer($0.assumingMemoryBound(to: RowFrame.self)) } }
    @inline(__always) set { larder_set_thread_rows(newValue.map { UnsafeMutableRawPointer(mutating: $0) }) }
  }

  /// Calls a closure with a new row, which is the innermost one while the closure runs.
  ///
  /// - Parameter isNested: Whether the closure can also use the rows of the closures around it.
  @inline(__always) static func withRow<Result>(isNested: Bool = false, _ body: (RowNumber) -> Result) -> Result {
    let outer = innermost
    var frame = RowFrame(number: .next(), outer: isNested ? outer : nil)
    return withUnsafeMutablePointer(to: &frame) { pointer in
      innermost = UnsafePointer(pointer)
      defer { innermost = outer }
      return body(pointer.pointee.number)
    }
  }
}

extension QueryExpression {
  /// The same expression for a place that has `count` more scopes around it.
  ///
  /// - Parameter bound: The number of scopes that the expression itself adds around the current part.
  func addingScopes(_ count: Int, within bound: Int = 0) -> QueryExpression {
    func moved(_ part: QueryExpression) -> QueryExpression { part.addingScopes(count, within: bound) }
    func inner(_ part: QueryExpression) -> QueryExpression { part.addingScopes(count, within: bound + 1) }
    return switch self {
    case .value, .truth, .unsupportedQuery: self
    case .scope(let scope): .scope(scope < bound ? scope : scope + count)
    case .property(let path, let scope): .property(path, of: scope < bound ? scope : scope + count)
    case .member(let object, let path): .member(moved(object), path)
    case .field(let value, let field): .field(moved(value), field)
    case .first(let members, let test): .first(in: moved(members), where: inner(test))
    case .equal(let left, let right): .equal(moved(left), moved(right))
    case .ordered(let left, let order, let right): .ordered(moved(left), order, moved(right))
    case .isIn(let element, let values): .isIn(moved(element), values)
    case .text(let text, let match, let other): .text(moved(text), match, moved(other))
    case .and(let left, let right): .and(moved(left), moved(right))
    case .or(let left, let right): .or(moved(left), moved(right))
    case .not(let condition): .not(moved(condition))
    case .arithmetic(let left, let operation, let right): .arithmetic(moved(left), operation, moved(right))
    case .length(let text): .length(moved(text))
    case .folded(let text): .folded(moved(text))
    case .conditional(let test, let then, let otherwise):
      .conditional(moved(test), then: moved(then), otherwise: moved(otherwise))
    case .coalesced(let first, let second): .coalesced(moved(first), moved(second))
    case .present(let value, let then): .present(moved(value), then: inner(then))
    case .exists(let members, let test): .exists(in: moved(members), where: inner(test))
    case .count(let members, let test): .count(of: moved(members), where: inner(test))
    case .aggregate(let function, let members, let value, let test):
      .aggregate(function, of: moved(members), inner(value), where: inner(test))
    case .grouped(let function, let value): .grouped(function, moved(value))
    case .search(let object, let path, let text): .search(moved(object), in: path, text)
    case .rank(let object, let text, let weights): .rank(moved(object), text, weights)
    case .literal(let condition, let number): .literal(moved(condition), number: number)
    }
  }
}
