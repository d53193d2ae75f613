/// A path to one or more values in a document, as defined by RFC 9535. The leading `$.` is optional.
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
/// Throughout this module, a singular path is strict: a step into the wrong kind of value is an error that identifies
/// the value. After a wildcard, a slice, a filter or a descendant segment, values that do not match are not selected,
/// as in RFC 9535.
///
/// Creating a path from a string literal never throws. An invalid literal stores its ``JSONPathError``, which is thrown
/// when the path is first used; ``validated()`` throws it immediately. Each literal is parsed only once per program,
/// and copying a path costs one reference count update.
///
/// Two paths are equal if they consist of the same steps: `"a.b"`, `"$.a.b"` and `"$['a']['b']"` are equal.
public struct JSONPath: Sendable {
  let compiled: CompiledPath

  init(_ compiled: CompiledPath) {
    self.compiled = compiled
  }

  /// Parses a path.
  ///
  /// - Throws: ``JSONPathError`` with the column of the error. A path can have at most 65,536 bytes, 512 segments, and
  ///   64 levels of nested filters and parentheses.
  public init(parsing text: String) throws(JSONPathError) {
    compiled = CompiledPath.parse(text)
    if let error = compiled.error { throw error }
  }

  /// The path of the whole document, `$`.
  public static let root = JSONPath(CompiledPath(steps: []))

  /// Whether the path can select at most one value, because it consists of names and indices only.
  public var isSingular: Bool { compiled.steps != nil }

  /// Returns the path if it is valid.
  ///
  /// - Throws: ``JSONPathError`` for an invalid literal.
  @discardableResult
  public func validated() throws(JSONPathError) -> JSONPath {
    if let error = compiled.error { throw error }
    return self
  }
}

extension JSONPath: Hashable {
  /// Returns whether both paths consist of the same steps. Two invalid paths are equal if their errors are equal.
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
