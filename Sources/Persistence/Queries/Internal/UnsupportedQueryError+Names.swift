extension UnsupportedQueryError {
  /// Code that visits a query needs at least one stack frame for each level, and background threads on Apple platforms
  /// have small stacks.
  static let maximumDepth = 400

  static let tooDeep = UnsupportedQueryError("a query of more than \(maximumDepth) levels", "it is nested too deeply")

  static let outsideClosure = UnsupportedQueryError("a row", "it is used outside of the closure that received it")

  /// The error for a key path that names no property of the class, or one of the wrong kind.
  static func unknown(
    _ path: AnyKeyPath, in entity: Entity, _ wanted: String = "a stored property"
  ) -> UnsupportedQueryError {
    let reason =
      path.hasSeveralComponents
      ? "a key path must name one property of \(entity.name): for a value beyond that property, pass a closure where "
        + "one is accepted, as in .ascending { $0.studio.name }"
      : "is not \(wanted) of \(entity.name)"
    return UnsupportedQueryError(QueryExpression.description(of: path, in: entity).text, reason)
  }
}
