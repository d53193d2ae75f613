/// Texts compared by their UTF-8 bytes.
extension Query {
  /// Whether the text contains this one somewhere. Every text contains the empty one.
  public static func text(_ path: any KeyPath<Root, String> & Sendable, contains part: String) -> Query {
    match(path, .contains, part)
  }

  /// Whether the text begins with this one. An index of the attribute serves.
  public static func text(_ path: any KeyPath<Root, String> & Sendable, beginsWith start: String) -> Query {
    match(path, .begins, start)
  }

  /// Whether the text ends with this one.
  public static func text(_ path: any KeyPath<Root, String> & Sendable, endsWith end: String) -> Query {
    match(path, .ends, end)
  }

  /// Whether the text is not nil and contains this one somewhere. Every text contains the empty one.
  public static func text(_ path: any KeyPath<Root, String?> & Sendable, contains part: String) -> Query {
    match(path, .contains, part)
  }

  /// Whether the text is not nil and begins with this one. An index of the attribute serves.
  public static func text(_ path: any KeyPath<Root, String?> & Sendable, beginsWith start: String) -> Query {
    match(path, .begins, start)
  }

  /// Whether the text is not nil and ends with this one.
  public static func text(_ path: any KeyPath<Root, String?> & Sendable, endsWith end: String) -> Query {
    match(path, .ends, end)
  }

  fileprivate static func match(_ path: any PropertyPath, _ match: TextMatch, _ other: String) -> Query {
    Query(.text(.property(path, of: 0), match, .value(.text(other))))
  }
}

/// Texts compared without regard to case and diacritics: `cafe` is `Café`, `strasse` is `Straße`. No index serves.
extension Query {
  /// Whether the text contains this one somewhere, case and diacritics aside.
  public static func folded(_ path: any KeyPath<Root, String> & Sendable, contains part: String) -> Query {
    match(path, .foldedContains, part)
  }

  /// Whether the text begins with this one, case and diacritics aside.
  public static func folded(_ path: any KeyPath<Root, String> & Sendable, beginsWith start: String) -> Query {
    match(path, .foldedBegins, start)
  }

  /// Whether the text ends with this one, case and diacritics aside.
  public static func folded(_ path: any KeyPath<Root, String> & Sendable, endsWith end: String) -> Query {
    match(path, .foldedEnds, end)
  }

  /// Whether the text is this one, case and diacritics aside.
  public static func folded(_ path: any KeyPath<Root, String> & Sendable, equals other: String) -> Query {
    match(path, .foldedEquals, other)
  }

  /// Whether the text fits the pattern, case and diacritics aside: `%` stands for any text, `_` for one character, and
  /// after a backslash either stands for itself.
  public static func folded(_ path: any KeyPath<Root, String> & Sendable, like pattern: String) -> Query {
    match(path, .foldedLike, pattern)
  }

  /// Whether the text is not nil and contains this one somewhere, case and diacritics aside.
  public static func folded(_ path: any KeyPath<Root, String?> & Sendable, contains part: String) -> Query {
    match(path, .foldedContains, part)
  }

  /// Whether the text is not nil and begins with this one, case and diacritics aside.
  public static func folded(_ path: any KeyPath<Root, String?> & Sendable, beginsWith start: String) -> Query {
    match(path, .foldedBegins, start)
  }

  /// Whether the text is not nil and ends with this one, case and diacritics aside.
  public static func folded(_ path: any KeyPath<Root, String?> & Sendable, endsWith end: String) -> Query {
    match(path, .foldedEnds, end)
  }

  /// Whether the text is not nil and is this one, case and diacritics aside.
  public static func folded(_ path: any KeyPath<Root, String?> & Sendable, equals other: String) -> Query {
    match(path, .foldedEquals, other)
  }

  /// Whether the text is not nil and fits the pattern, case and diacritics aside: `%` stands for any text, `_` for one
  /// character, and after a backslash either stands for itself.
  public static func folded(_ path: any KeyPath<Root, String?> & Sendable, like pattern: String) -> Query {
    match(path, .foldedLike, pattern)
  }
}
