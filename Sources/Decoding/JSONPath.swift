/// A path that selects values in a JSON document, in the JSONPath syntax of RFC 9535. The leading `$.` is optional.
///
/// ```swift
/// let rating: JSONPath = "results[0].popularity"
/// let isbn: JSONPath =
///   "volumeInfo.industryIdentifiers[?@.type=='ISBN_13'].identifier"
/// let dotted: JSONPath = "['a.b'].c"
/// let typed = try JSONPath(parsing: text)
/// ```
///
/// A path is *singular* if it can select at most one value, which means that it consists of names and indices only.
/// Throughout this module, a singular path is strict: a step into the wrong kind of value, such as a name applied to an
/// array, causes an error that identifies this value. After a wildcard, a slice, a filter or a descendant segment, a
/// step into the wrong kind of value selects nothing, as RFC 9535 specifies.
///
/// Creating a path from a string literal never throws. A path from an invalid literal stores a ``JSONPathError``, which
/// is reported when the path is first used. To throw this error immediately, call ``validated()``. Each literal is
/// parsed only once per process, and copying a path costs one reference count update.
///
/// Two paths are equal if they consist of the same steps: `"a.b"`, `"$.a.b"` and `"$['a']['b']"` are equal.
public struct JSONPath: Sendable {
  let compiled: CompiledPath

  init(_ compiled: CompiledPath) {
    self.compiled = compiled
  }

  /// Parses a path.
  ///
  /// - Throws: ``JSONPathError`` with the column of the error. This error is also thrown for a path that has more than
  ///   65,536 bytes, 512 segments, or 64 levels of nested filters and parentheses.
  public init(parsing text: String) throws(JSONPathError) {
    compiled = CompiledPath.parse(text)
    if let error = compiled.error { throw error }
  }

  /// The path of the whole document, `$`.
  public static let root = JSONPath(CompiledPath(steps: []))

  /// Whether the path is singular. A singular path consists of names and indices only, so it can select at most one
  /// value.
  public var isSingular: Bool { compiled.steps != nil }

  /// Returns the path if it is valid.
  ///
  /// - Throws: ``JSONPathError`` if the path was created from an invalid literal.
  @discardableResult
  public func validated() throws(JSONPathError) -> JSONPath {
    if let error = compiled.error { throw error }
    return self
  }
}

extension JSONPath: Hashable {
  /// Returns whether the two paths consist of the same steps. Two invalid paths are equal if their errors are equal.
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
