extension QueryRefusal {
  /// Whoever visits a query needs a stack frame or more for each level, and Apple's background threads have little of
  /// it.
  static let maximumDepth = 400

  static let tooDeep = QueryRefusal("a query of more than \(maximumDepth) levels", "it is nested too deeply")

  static func unknown(_ path: AnyKeyPath, in entity: Entity) -> QueryRefusal {
    let hint = "\(path)".contains("?.") ? "; related objects are asked with .any" : ""
    return QueryRefusal(path.queryDescription, "is no stored property of \(entity.name)" + hint)
  }
}

extension AnyKeyPath {
  /// Root and property as far as they can be known: the name of a computed property cannot.
  var queryDescription: String {
    let text = "\(self)"
    guard text.contains("<computed") else { return text }
    return "\\\(type(of: self).rootType).<computed \(type(of: self).valueType)>"
  }
}
