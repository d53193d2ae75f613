internal import Foundation

/// The form of a text without case and diacritics.
///
/// Letters are mapped to upper case and then to lower case, which turns `ß` into `ss` and makes both sigmas equal.
/// Nonspacing marks above, below or through a letter are removed (canonical combining class 10 and up: the accents of
/// Latin, Greek and Cyrillic, the points of Hebrew and Arabic, but neither vowel signs of Indic scripts nor the voicing
/// marks of kana). The rest is composed.
enum TextFolding {
  /// The folded UTF-8 bytes.
  static func fold(_ bytes: UnsafeBufferPointer<UInt8>) -> [UInt8] {
    if bytes.allSatisfy({ $0 < 0x80 }) { return bytes.map(lowercased) }
    return Array(fold(String(decoding: bytes, as: UTF8.self)).utf8)
  }

  /// The folded text, with spaces in place of what is not part of a word, as many as it has bytes.
  ///
  /// The tables of SQLite's tokenizer are older than the newest signs and emoji, and would take those for letters.
  /// Marks in a highlighted text cannot be mistaken for a part of it, because it has no control characters.
  static func searchable(_ bytes: UnsafeBufferPointer<UInt8>) -> String {
    let folded = fold(bytes)
    if folded.allSatisfy({ $0 >= 0x20 && $0 < 0x80 }) { return String(decoding: folded, as: UTF8.self) }
    return separated(String(decoding: folded, as: UTF8.self))
  }

  static func separated(_ folded: String) -> String {
    var scalars = String.UnicodeScalarView()
    for scalar in folded.unicodeScalars {
      if scalar.isASCII ? scalar.value >= 0x20 : isWordPart(scalar) {
        scalars.append(scalar)
      } else {
        scalars.append(contentsOf: repeatElement(" ", count: UTF8.width(scalar)))
      }
    }
    return String(scalars)
  }

  static func fold(_ text: String) -> String {
    var scalars = String.UnicodeScalarView()
    for scalar in text.decomposedStringWithCanonicalMapping.unicodeScalars where !isDiacritic(scalar) {
      let upper = mapped(scalar.properties.lowercaseMapping) { $0.uppercaseMapping }
      // Decomposed again, because a mapping can add marks.
      let lower = mapped(upper) { $0.lowercaseMapping }.decomposedStringWithCanonicalMapping
      scalars.append(contentsOf: lower.unicodeScalars.lazy.filter { !isDiacritic($0) })
    }
    return String(scalars).precomposedStringWithCanonicalMapping
  }

  private static func mapped(_ text: String, _ mapping: (Unicode.Scalar.Properties) -> String) -> String {
    text.unicodeScalars.reduce(into: "") { $0 += mapping($1.properties) }
  }

  @inline(__always) static func lowercased(_ byte: UInt8) -> UInt8 {
    byte >= 0x41 && byte <= 0x5A ? byte | 0x20 : byte
  }

  private static func isDiacritic(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.generalCategory == .nonspacingMark
      && scalar.properties.canonicalCombiningClass.rawValue >= 10
  }

  /// Whether SQLite's tokenizer takes the character for a part of a word.
  static func isWordPart(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .decimalNumber,
      .letterNumber, .otherNumber, .privateUse:
      true
    default: false
    }
  }
}
