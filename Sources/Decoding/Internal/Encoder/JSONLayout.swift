internal import Foundation

/// A second pass over a document that the encoder has written: indents it, sorts its members, drops those that come
/// again.
struct JSONLayout {
  private let text: ByteView
  private let writer: ByteWriter
  private let isIndented: Bool
  private let isSorted: Bool
  /// Of the containers, in the order of the text: where each begins, and where it has ended.
  private let starts: [Int]
  private let ends: [Int]

  private struct Member {
    let name: Range<Int>
    /// Of the value, which ends where the next one begins.
    var value: Int
    let bytes: [UInt8]
  }

  static func document(_ text: ByteView, _ formatting: JSONEncoder.OutputFormatting) -> Data {
    let writer = ByteWriter(capacity: text.count + text.count / 4 + 16)
    defer { writer.deallocate() }
    JSONLayout(text, writer, formatting).writeValue(0, level: 0)
    return writer.takeData()
  }

  private init(_ text: ByteView, _ writer: ByteWriter, _ formatting: JSONEncoder.OutputFormatting) {
    self.text = text
    self.writer = writer
    isIndented = formatting.contains(.prettyPrinted)
    isSorted = formatting.contains(.sortedKeys)
    (starts, ends) = Self.containers(text)
  }

  /// Found once for all, so that the time does not grow with the depth.
  private static func containers(_ text: ByteView) -> (starts: [Int], ends: [Int]) {
    var (starts, ends, open): ([Int], [Int], [Int]) = ([], [], [])
    var index = 0
    while index < text.count {
      switch text[index] {
      case ASCII.quote: index = endOfString(text, index) - 1
      case ASCII.leftBrace, ASCII.leftBracket:
        open.append(starts.count)
        starts.append(index)
        ends.append(0)
      case ASCII.rightBrace, ASCII.rightBracket: ends[open.removeLast()] = index + 1
      default: break
      }
      index += 1
    }
    return (starts, ends)
  }

  private static func endOfString(_ text: ByteView, _ start: Int) -> Int {
    var index = start + 1
    while text[index] != ASCII.quote { index += text[index] == ASCII.backslash ? 2 : 1 }
    return index + 1
  }

  private func writeValue(_ index: Int, level: Int) {
    switch text[index] {
    case ASCII.leftBrace: writeObject(index, level: level)
    case ASCII.leftBracket: writeArray(index, level: level)
    default: writer.append(text.buffer(index, endOfValue(index)))
    }
  }

  private func writeArray(_ start: Int, level: Int) {
    writer.append(ASCII.leftBracket)
    var index = start + 1
    var isFirst = true
    while text[index] != ASCII.rightBracket {
      if text[index] == ASCII.comma { index += 1 }
      newLine(level + 1, isFirst: isFirst)
      isFirst = false
      writeValue(index, level: level + 1)
      index = endOfValue(index)
    }
    close(ASCII.rightBracket, level, isEmpty: isFirst)
  }

  private func writeObject(_ start: Int, level: Int) {
    writer.append(ASCII.leftBrace)
    var isFirst = true
    for member in members(start) {
      newLine(level + 1, isFirst: isFirst)
      isFirst = false
      writer.append(text.buffer(member.name.lowerBound - 1, member.name.upperBound + 1))
      if isIndented { writer.append(" : ") } else { writer.append(ASCII.colon) }
      writeValue(member.value, level: level + 1)
    }
    close(ASCII.rightBrace, level, isEmpty: isFirst)
  }

  /// Each name once, where it came first, with the value that came last.
  private func members(_ start: Int) -> [Member] {
    var members: [Member] = []
    var places: [[UInt8]: Int] = [:]
    var index = start + 1
    while text[index] != ASCII.rightBrace {
      if text[index] == ASCII.comma { index += 1 }
      let end = endOfValue(index)
      let name = index + 1..<end - 1
      let bytes = text.unescaped(name)
      if let place = places[bytes] {
        members[place].value = end + 1
      } else {
        places[bytes] = members.count
        members.append(Member(name: name, value: end + 1, bytes: bytes))
      }
      index = endOfValue(end + 1)
    }
    if isSorted { members.sort { $0.bytes.lexicographicallyPrecedes($1.bytes) } }
    return members
  }

  /// The document is well-formed: it comes from the encoder.
  private func endOfValue(_ start: Int) -> Int {
    switch text[start] {
    case ASCII.quote: return Self.endOfString(text, start)
    case ASCII.leftBrace, ASCII.leftBracket: return ends[place(of: start)]
    default:
      var index = start
      while index < text.count, text[index] != ASCII.comma, text[index] != ASCII.rightBrace,
        text[index] != ASCII.rightBracket
      { index += 1 }
      return index
    }
  }

  private func place(of start: Int) -> Int {
    var range = 0..<starts.count
    while range.count > 1 {
      let middle = range.lowerBound + range.count / 2
      range = starts[middle] <= start ? middle..<range.upperBound : range.lowerBound..<middle
    }
    return range.lowerBound
  }

  private func newLine(_ level: Int, isFirst: Bool) {
    if !isFirst { writer.append(ASCII.comma) }
    if isIndented { indent(level) }
  }

  private func indent(_ level: Int) {
    writer.append(ASCII.newline)
    for _ in 0..<level { writer.append("  ") }
  }

  private func close(_ bracket: UInt8, _ level: Int, isEmpty: Bool) {
    if isIndented {
      if isEmpty { writer.append(ASCII.newline) }
      indent(level)
    }
    writer.append(bracket)
  }
}
