/// A path to one or more values inside a document: RFC 9535, with the leading `$.` optional.
///
/// ```swift
/// let rating: JSONPath = "results[0].popularity"
/// let isbn: JSONPath = "volumeInfo.industryIdentifiers[?@.type=='ISBN_13'].identifier"
/// let dotted: JSONPath = "['a.b'].c"
/// let typed = try JSONPath(parsing: text)
/// ```
///
/// A path is *singular* when it can select at most one value: names and indices only. Everywhere in this module a
/// singular path is strict (a step into the wrong kind of value is an error that names it), while behind a wildcard, a
/// slice, a filter or a descendant segment what does not fit is not selected, as RFC 9535 has it.
///
/// A string literal cannot throw, so a literal that is not a path keeps its ``JSONPathError``, which is thrown where
/// the path is first used; ``validated()`` asks for it at once. A literal is parsed once per program; copying a path
/// costs a reference count.
///
/// Two paths are equal when they mean the same steps: `"a.b"`, `"$.a.b"` and `"$['a']['b']"` are equal.
public struct JSONPath: Sendable {
  let compiled: CompiledPath

  init(_ compiled: CompiledPath) {
    self.compiled = compiled
  }

  /// Parses a path.
  ///
  /// - Throws: ``JSONPathError`` with the column of what is wrong. A path is limited to 65 536 bytes, 512 segments and
  ///   64 levels of nested filters and parentheses.
  public init(parsing text: String) throws(JSONPathError) {
    compiled = CompiledPath.parse(text)
    if let error = compiled.error { throw error }
  }

  /// The whole document, `$`.
  public static let root = JSONPath(CompiledPath(steps: []))

  /// Whether the path can select at most one value: names and indices only.
  public var isSingular: Bool { compiled.steps != nil }

  /// The path itself, when it is one.
  ///
  /// - Throws: ``JSONPathError`` for a literal that is not a path.
  @discardableResult
  public func validated() throws(JSONPathError) -> JSONPath {
    if let error = compiled.error { throw error }
    return self
  }
}

extension JSONPath: Hashable {
  /// Whether both paths mean the same steps; two that are wrong are equal when their errors are.
  public static func == (left: JSONPath, right: JSONPath) -> Bool {
    if left.compiled === right.compiled { return true }
    guard left.compiled.segments == right.compiled.segments else { return false }
    return left.compiled.error == right.compiled.error
  }

  /// Hashes the steps.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(compiled.segments)
    hasher.combine(compiled.error)
  }
}
