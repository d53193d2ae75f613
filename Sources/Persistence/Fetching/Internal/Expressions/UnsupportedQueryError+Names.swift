extension UnsupportedQueryError {
  /// Code that visits a query needs at least one stack frame for each level, and background threads on Apple platforms
  /// have small stacks.
  static let maximumDepth = 400

  static let tooDeep = UnsupportedQueryError("a query of more than \(maximumDepth) levels", "it is nested too deeply")

  static let outsideClosure = UnsupportedQueryError("a row", "it is used outside of the closure that received it")

  static func unknown(_ path: AnyKeyPath, in entity: Entity) -> UnsupportedQueryError {
    UnsupportedQueryError(path.queryDescription, "is not a stored property of \(entity.name)")
  }
}

extension AnyKeyPath {
  /// The root and the property, if they can be determined. The name of a computed property cannot.
  var queryDescription: String {
    let text = "\(self)"
    guard text.contains("<computed") else { return text }
    return "\\\(type(of: self).rootType).<computed \(type(of: self).valueType)>"
  }
}
