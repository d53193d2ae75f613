/// Comparisons of texts by their UTF-8 bytes.
extension Query {
  /// A condition that is true if the text contains another text. Every text contains the empty text.
  public static func text(_ path: any KeyPath<Root, String> & Sendable, contains part: String) -> Query {
    match(path, .contains, part)
  }

  /// A condition that is true if the text begins with another text. This can use an index of the attribute.
  public static func text(_ path: any KeyPath<Root, String> & Sendable, beginsWith start: String) -> Query {
    match(path, .begins, start)
  }

  /// A condition that is true if the text ends with another text.
  public static func text(_ path: any KeyPath<Root, String> & Sendable, endsWith end: String) -> Query {
    match(path, .ends, end)
  }

  /// A condition that is true if the text is not nil and contains another text. Every text contains the empty text.
  public static func text(_ path: any KeyPath<Root, String?> & Sendable, contains part: String) -> Query {
    match(path, .contains, part)
  }

  /// A condition that is true if the text is not nil and begins with another text. This can use an index of the
  /// attribute.
  public static func text(_ path: any KeyPath<Root, String?> & Sendable, beginsWith start: String) -> Query {
    match(path, .begins, start)
  }

  /// A condition that is true if the text is not nil and ends with another text.
  public static func text(_ path: any KeyPath<Root, String?> & Sendable, endsWith end: String) -> Query {
    match(path, .ends, end)
  }

  fileprivate static func match(_ path: any PropertyPath, _ match: TextMatch, _ other: String) -> Query {
    Query(.text(.property(path, of: 0), match, .value(.text(other))))
  }
}

/// Comparisons of texts that ignore case and diacritics: `cafe` equals `Café`, and `strasse` equals `Straße`. They
/// cannot use an index.
extension Query {
  /// A condition that is true if the text contains another text, ignoring case and diacritics.
  public static func folded(_ path: any KeyPath<Root, String> & Sendable, contains part: String) -> Query {
    match(path, .foldedContains, part)
  }

  /// A condition that is true if the text begins with another text, ignoring case and diacritics.
  public static func folded(_ path: any KeyPath<Root, String> & Sendable, beginsWith start: String) -> Query {
    match(path, .foldedBegins, start)
  }

  /// A condition that is true if the text ends with another text, ignoring case and diacritics.
  public static func folded(_ path: any KeyPath<Root, String> & Sendable, endsWith end: String) -> Query {
    match(path, .foldedEnds, end)
  }

  /// A condition that is true if the text equals another text, ignoring case and diacritics.
  public static func folded(_ path: any KeyPath<Root, String> & Sendable, equals other: String) -> Query {
    match(path, .foldedEquals, other)
  }

  /// A condition that is true if the text matches the pattern, ignoring case and diacritics.
  ///
  /// In the pattern, `%` matches any text and `_` matches one character. After a backslash, either of these characters
  /// matches itself.
  public static func folded(_ path: any KeyPath<Root, String> & Sendable, like pattern: String) -> Query {
    match(path, .foldedLike, pattern)
  }

  /// A condition that is true if the text is not nil and contains another text, ignoring case and diacritics.
  public static func folded(_ path: any KeyPath<Root, String?> & Sendable, contains part: String) -> Query {
    match(path, .foldedContains, part)
  }

  /// A condition that is true if the text is not nil and begins with another text, ignoring case and diacritics.
  public static func folded(_ path: any KeyPath<Root, String?> & Sendable, beginsWith start: String) -> Query {
    match(path, .foldedBegins, start)
  }

  /// A condition that is true if the text is not nil and ends with another text, ignoring case and diacritics.
  public static func folded(_ path: any KeyPath<Root, String?> & Sendable, endsWith end: String) -> Query {
    match(path, .foldedEnds, end)
  }

  /// A condition that is true if the text is not nil and equals another text, ignoring case and diacritics.
  public static func folded(_ path: any KeyPath<Root, String?> & Sendable, equals other: String) -> Query {
    match(path, .foldedEquals, other)
  }

  /// A condition that is true if the text is not nil and matches the pattern, ignoring case and diacritics.
  ///
  /// In the pattern, `%` matches any text and `_` matches one character. After a backslash, either of these characters
  /// matches itself.
  public static func folded(_ path: any KeyPath<Root, String?> & Sendable, like pattern: String) -> Query {
    match(path, .foldedLike, pattern)
  }
}
