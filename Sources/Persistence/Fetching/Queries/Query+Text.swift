/// Comparisons of strings by their UTF-8 bytes.
extension Query {
  /// A condition that is true if the string contains another string. Every string contains the empty string.
  public static func text(_ path: any KeyPath<Root, String> & Sendable, contains part: String) -> Query {
    match(path, .contains, part)
  }

  /// A condition that is true if the string begins with another string. This can use an index of the attribute.
  public static func text(_ path: any KeyPath<Root, String> & Sendable, beginsWith start: String) -> Query {
    match(path, .begins, start)
  }

  /// A condition that is true if the string ends with another string.
  public static func text(_ path: any KeyPath<Root, String> & Sendable, endsWith end: String) -> Query {
    match(path, .ends, end)
  }

  /// A condition that is true if the string is not nil and contains another string. Every string contains the empty
  /// string.
  public static func text(_ path: any KeyPath<Root, String?> & Sendable, contains part: String) -> Query {
    match(path, .contains, part)
  }

  /// A condition that is true if the string is not nil and begins with another string. This can use an index of the
  /// attribute.
  public static func text(_ path: any KeyPath<Root, String?> & Sendable, beginsWith start: String) -> Query {
    match(path, .begins, start)
  }

  /// A condition that is true if the string is not nil and ends with another string.
  public static func text(_ path: any KeyPath<Root, String?> & Sendable, endsWith end: String) -> Query {
    match(path, .ends, end)
  }

  fileprivate static func match(_ path: any PropertyPath, _ match: TextMatch, _ other: String) -> Query {
    Query(.text(.property(path, of: 0), match, .value(.text(other))))
  }
}

/// Comparisons of strings that ignore case and diacritics: `cafe` equals `Café`, and `strasse` equals `Straße`. They
/// cannot use an index.
extension Query {
  /// A condition that is true if the string contains another string, ignoring case and diacritics.
  public static func folded(_ path: any KeyPath<Root, String> & Sendable, contains part: String) -> Query {
    match(path, .foldedContains, part)
  }

  /// A condition that is true if the string begins with another string, ignoring case and diacritics.
  public static func folded(_ path: any KeyPath<Root, String> & Sendable, beginsWith start: String) -> Query {
    match(path, .foldedBegins, start)
  }

  /// A condition that is true if the string ends with another string, ignoring case and diacritics.
  public static func folded(_ path: any KeyPath<Root, String> & Sendable, endsWith end: String) -> Query {
    match(path, .foldedEnds, end)
  }

  /// A condition that is true if the string equals another string, ignoring case and diacritics.
  public static func folded(_ path: any KeyPath<Root, String> & Sendable, equals other: String) -> Query {
    match(path, .foldedEquals, other)
  }

  /// A condition that is true if the string matches the pattern, ignoring case and diacritics.
  ///
  /// In the pattern, `%` matches any sequence of characters, and `_` matches a single Unicode scalar of the folded
  /// string. After a backslash, either of these characters matches itself.
  public static func folded(_ path: any KeyPath<Root, String> & Sendable, like pattern: String) -> Query {
    match(path, .foldedLike, pattern)
  }

  /// A condition that is true if the string is not nil and contains another string, ignoring case and diacritics.
  public static func folded(_ path: any KeyPath<Root, String?> & Sendable, contains part: String) -> Query {
    match(path, .foldedContains, part)
  }

  /// A condition that is true if the string is not nil and begins with another string, ignoring case and diacritics.
  public static func folded(_ path: any KeyPath<Root, String?> & Sendable, beginsWith start: String) -> Query {
    match(path, .foldedBegins, start)
  }

  /// A condition that is true if the string is not nil and ends with another string, ignoring case and diacritics.
  public static func folded(_ path: any KeyPath<Root, String?> & Sendable, endsWith end: String) -> Query {
    match(path, .foldedEnds, end)
  }

  /// A condition that is true if the string is not nil and equals another string, ignoring case and diacritics.
  public static func folded(_ path: any KeyPath<Root, String?> & Sendable, equals other: String) -> Query {
    match(path, .foldedEquals, other)
  }

  /// A condition that is true if the string is not nil and matches the pattern, ignoring case and diacritics.
  ///
  /// In the pattern, `%` matches any sequence of characters, and `_` matches a single Unicode scalar of the folded
  /// string. After a backslash, either of these characters matches itself.
  public static func folded(_ path: any KeyPath<Root, String?> & Sendable, like pattern: String) -> Query {
    match(path, .foldedLike, pattern)
  }
}
