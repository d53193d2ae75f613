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

  /// The folded UTF-8 bytes, with a space in place of each control character. SQLite's tokenizer takes both for a
  /// separator, and marks in a highlighted text cannot be mistaken for a part of it.
  static func searchable(_ bytes: UnsafeBufferPointer<UInt8>) -> [UInt8] {
    var folded = fold(bytes)
    for index in folded.indices where folded[index] < 0x20 { folded[index] = 0x20 }
    return folded
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
}
