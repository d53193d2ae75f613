/// The text of an attribute, with the ranges of the text that match a search.
public struct HighlightedText: Sendable, Hashable {
  /// The text that was assigned to the attribute, or an excerpt of that text.
  public let text: String
  /// The ranges of the matching words and phrases in ``text``, in ascending order. The ranges do not overlap.
  public let ranges: [Range<String.Index>]

  /// Creates a value from a string and the ranges to highlight in it.
  public init(_ text: String, ranges: [Range<String.Index>]) {
    self.text = text
    self.ranges = ranges
  }

  /// - Parameter marked: The folded text, with U+0001 before each match and U+0002 after it.
  init(_ text: String, marked: String?) {
    self.text = text
    // Another context may have changed the stored text.
    let found = marked.flatMap { HighlightedText.isMarked($0, of: text) ? $0 : nil }
    ranges = found.map { HighlightedText.ranges(in: text, marked: $0) } ?? []
  }

  private static func isMarked(_ marked: String, of text: String) -> Bool {
    marked.utf8.lazy.filter { $0 > 2 }.elementsEqual(TextFolding.separated(TextFolding.fold(text)).utf8)
  }

  /// Folding each character by itself shows which character of the original each part of the folded text comes from.
  private static func ranges(in text: String, marked: String) -> [Range<String.Index>] {
    // For each match, the folded bytes before its beginning and before its end.
    var bounds: [Int] = []
    var length = 0
    for byte in marked.utf8 {
      if byte == 1 || byte == 2 { bounds.append(length) } else { length += 1 }
    }
    var result: [Range<String.Index>] = []
    var next = 0
    var start = text.startIndex
    var folded = 0
    // Folding is slow, and even a long text has few different characters.
    var lengths: [Character: Int] = [:]
    var index = text.startIndex
    while index < text.endIndex, next < bounds.count {
      let after = text.index(after: index)
      folded += foldedLength(text[index], &lengths)
      // A match begins with the character that contains its first byte, and ends with the one of its last byte.
      while next < bounds.count {
        if next.isMultiple(of: 2) {
          guard bounds[next] < folded else { break }
          start = index
        } else {
          guard bounds[next] <= folded else { break }
          // Two words can be in one character.
          if let last = result.last, start < last.upperBound { start = result.removeLast().lowerBound }
          result.append(start..<after)
        }
        next += 1
      }
      index = after
    }
    return result
  }

  private static func foldedLength(_ character: Character, _ known: inout [Character: Int]) -> Int {
    if character.isASCII { return character.utf8.count }
    if let length = known[character] { return length }
    let length = TextFolding.fold(String(character)).utf8.count
    known[character] = length
    return length
  }

  /// Returns an excerpt of approximately the given number of words from the part of the text with the most matches. An
  /// ellipsis (`…`) marks each end at which text is omitted.
  public func snippet(words: Int = 16) -> HighlightedText {
    let places = wordRanges()
    let count = max(1, words)
    guard places.count > count else { return self }
    var next = 0
    let isMatch = places.map { place in
      while next < ranges.count, ranges[next].upperBound <= place.lowerBound { next += 1 }
      return next < ranges.count && ranges[next].overlaps(place)
    }
    var best = (start: 0, matches: -1)
    var matches = isMatch.prefix(count).count { $0 }
    for start in 0...(places.count - count) {
      if start > 0 { matches += (isMatch[start + count - 1] ? 1 : 0) - (isMatch[start - 1] ? 1 : 0) }
      if matches > best.matches { best = (start, matches) }
    }
    // Some words before the first match show its context.
    if best.matches > 0, let first = isMatch[best.start...].firstIndex(of: true) {
      let last = isMatch[..<(best.start + count)].lastIndex(of: true) ?? first
      best.start = max(0, min(first - (count - (last - first + 1)) / 2, places.count - count))
    }
    return cut(to: places[best.start].lowerBound..<places[best.start + count - 1].upperBound)
  }

  private func cut(to range: Range<String.Index>) -> HighlightedText {
    let isCut = (start: range.lowerBound > text.startIndex, end: range.upperBound < text.endIndex)
    let excerpt = (isCut.start ? "…" : "") + String(text[range]) + (isCut.end ? "…" : "")
    let shift = (isCut.start ? "…".utf8.count : 0) - text.utf8.distance(from: text.startIndex, to: range.lowerBound)
    let ranges = ranges.filter { $0.overlaps(range) }.map { found in
      let found = found.clamped(to: range)
      func moved(_ index: String.Index) -> String.Index {
        excerpt.utf8.index(
          excerpt.startIndex, offsetBy: text.utf8.distance(from: text.startIndex, to: index) + shift)
      }
      return moved(found.lowerBound)..<moved(found.upperBound)
    }
    return HighlightedText(excerpt, ranges: ranges)
  }

  /// The parts between whitespace.
  private func wordRanges() -> [Range<String.Index>] {
    text.split(whereSeparator: \.isWhitespace).map { $0.startIndex..<$0.endIndex }
  }
}
