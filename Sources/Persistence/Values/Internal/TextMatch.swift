/// The ways to compare texts. The folded ones ignore case and diacritics, see ``TextFolding``. The others compare UTF-8
/// bytes.
enum TextMatch: Int, Sendable {
  case contains, begins, ends
  case foldedContains, foldedBegins, foldedEnds, foldedEquals, foldedLike
}

extension TextMatch {
  /// Whether `text` matches `other`. Both are UTF-8.
  func matches(_ text: UnsafeBufferPointer<UInt8>, _ other: UnsafeBufferPointer<UInt8>) -> Bool {
    switch self {
    case .contains: TextMatch.contains(text, other)
    case .begins: TextMatch.begins(text, other)
    case .ends: TextMatch.ends(text, other)
    case .foldedContains: folded(text, other, TextMatch.contains)
    case .foldedBegins: folded(text, other, TextMatch.begins)
    case .foldedEnds: folded(text, other, TextMatch.ends)
    case .foldedEquals: folded(text, other) { $0.count == $1.count && $0.elementsEqual($1) }
    case .foldedLike: folded(text, other, LikePattern.matches)
    }
  }

  func matches(_ text: String, _ other: String) -> Bool {
    var text = text
    var other = other
    return text.withUTF8 { text in other.withUTF8 { matches(text, $0) } }
  }

  private typealias Bytes = UnsafeBufferPointer<UInt8>

  private func folded(_ text: Bytes, _ other: Bytes, _ body: (Bytes, Bytes) -> Bool) -> Bool {
    TextFolding.fold(text).withUnsafeBufferPointer { text in
      TextFolding.fold(other).withUnsafeBufferPointer { body(text, $0) }
    }
  }

  private static func begins(_ text: Bytes, _ other: Bytes) -> Bool { text.starts(with: other) }

  private static func ends(_ text: Bytes, _ other: Bytes) -> Bool {
    text.count >= other.count && text.suffix(other.count).elementsEqual(other)
  }

  private static func contains(_ text: Bytes, _ other: Bytes) -> Bool {
    guard let first = other.first else { return true }
    var start = 0
    while text.count - start >= other.count {
      guard let hit = text[start...].firstIndex(of: first) else { return false }
      if text[hit...].starts(with: other) { return true }
      start = hit + 1
    }
    return false
  }
}

/// SQL's LIKE for folded UTF-8: `%` matches any text and `_` matches one character. After `\`, each of them matches
/// itself.
enum LikePattern {
  static func matches(_ text: UnsafeBufferPointer<UInt8>, _ pattern: UnsafeBufferPointer<UInt8>) -> Bool {
    var at = 0
    var place = 0
    // Where to continue if the rest does not match: after the last `%`, one character later.
    var retry: (pattern: Int, text: Int)?
    while true {
      if place < pattern.count, pattern[place] == UInt8(ascii: "%") {
        place += 1
        retry = (place, at)
        continue
      }
      if place == pattern.count, at == text.count { return true }
      if place < pattern.count, at < text.count, let (nextPlace, nextAt) = step(text, at, pattern, place) {
        place = nextPlace
        at = nextAt
        continue
      }
      guard let last = retry, last.text < text.count else { return false }
      let later = next(text, last.text)
      retry = (last.pattern, later)
      place = last.pattern
      at = later
    }
  }

  /// Compares one character of the pattern with one of the text.
  private static func step(
    _ text: UnsafeBufferPointer<UInt8>, _ at: Int, _ pattern: UnsafeBufferPointer<UInt8>, _ place: Int
  ) -> (Int, Int)? {
    var place = place
    if pattern[place] == UInt8(ascii: "_") { return (place + 1, next(text, at)) }
    if pattern[place] == UInt8(ascii: "\\"), place + 1 < pattern.count { place += 1 }
    let (patternEnd, textEnd) = (next(pattern, place), next(text, at))
    return pattern[place..<patternEnd].elementsEqual(text[at..<textEnd]) ? (patternEnd, textEnd) : nil
  }

  /// The index at which the next Unicode scalar begins.
  private static func next(_ bytes: UnsafeBufferPointer<UInt8>, _ index: Int) -> Int {
    var index = index + 1
    while index < bytes.count, bytes[index] & 0xC0 == 0x80 { index += 1 }
    return index
  }
}
