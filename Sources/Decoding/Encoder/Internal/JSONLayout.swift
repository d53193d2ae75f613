internal import Foundation

/// A second pass over a document that the encoder has written: indents it, sorts its members and drops duplicate
/// members. Only raw values can contain whitespace, and they are changed only if members are sorted or lines are
/// indented.
struct JSONLayout {
  private let text: ByteView
  private let writer: ByteWriter
  private let isIndented: Bool
  private let isSorted: Bool
  /// The starts and ends of the containers, in the order of the text.
  private let starts: [Int]
  private let ends: [Int]
  /// The ends of the values that remain unchanged, by their starts.
  private let raws: [Int: Int]

  private struct Member {
    let name: Range<Int>
    var value: Int
    let bytes: [UInt8]
  }

  /// A container that is being written.
  private struct Open {
    let isObject: Bool
    let members: [Member]
    /// The number of the next member, or the end of the last element.
    var next: Int
    var isEmpty = true
  }

  static func document(_ text: ByteView, _ raws: [Range<Int>], _ formatting: JSONEncoder.OutputFormatting) -> Data {
    let writer = ByteWriter(capacity: text.count + text.count / 4 + 16)
    defer { writer.deallocate() }
    JSONLayout(text, raws, writer, formatting).write()
    return writer.takeData()
  }

  private init(
    _ text: ByteView, _ raws: [Range<Int>], _ writer: ByteWriter, _ formatting: JSONEncoder.OutputFormatting
  ) {
    self.text = text
    self.writer = writer
    isIndented = formatting.contains(.prettyPrinted)
    isSorted = formatting.contains(.sortedKeys)
    let stay = isIndented || isSorted ? [] : raws
    self.raws = Dictionary(stay.map { ($0.lowerBound, $0.upperBound) }) { first, _ in first }
    (starts, ends) = Self.containers(text)
  }

  /// Finds all containers in one pass, so that the time does not grow with the depth.
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

  /// Writes the document without recursion, because raw JSON can have any depth.
  private func write() {
    var open: [Open] = []
    begin(0, &open)
    while let container = open.last {
      let last = open.count - 1
      var index = container.next
      if container.isObject ? index == container.members.count : next(&index) == ASCII.rightBracket {
        open.removeLast()
        if isIndented {
          if container.isEmpty { writer.append(ASCII.newline) }
          indent(last)
        }
        writer.append(container.isObject ? ASCII.rightBrace : ASCII.rightBracket)
        continue
      }
      if !container.isEmpty { writer.append(ASCII.comma) }
      if isIndented { indent(open.count) }
      open[last].isEmpty = false
      if container.isObject {
        let member = container.members[index]
        writer.append(text.buffer(member.name.lowerBound - 1, member.name.upperBound + 1))
        if isIndented { writer.append(" : ") } else { writer.append(ASCII.colon) }
        open[last].next = index + 1
        begin(member.value, &open)
      } else {
        open[last].next = endOfValue(index)
        begin(index, &open)
      }
    }
  }

  private func begin(_ index: Int, _ open: inout [Open]) {
    if !raws.isEmpty, let end = raws[index] { return writer.append(text.buffer(index, end)) }
    switch text[index] {
    case ASCII.leftBrace:
      writer.append(ASCII.leftBrace)
      open.append(Open(isObject: true, members: members(index), next: 0))
    case ASCII.leftBracket:
      writer.append(ASCII.leftBracket)
      open.append(Open(isObject: false, members: [], next: index + 1))
    default: writer.append(text.buffer(index, endOfValue(index)))
    }
  }

  /// Returns the members without duplicates: each name at its first position, with its last value.
  private func members(_ start: Int) -> [Member] {
    var members: [Member] = []
    var indices: [[UInt8]: Int] = [:]
    var index = start + 1
    while next(&index) != ASCII.rightBrace {
      let end = endOfValue(index)
      let name = index + 1..<end - 1
      index = text.skipSpace(text.skipSpace(end) + 1)  // after the colon
      let bytes = text.unescaped(name)
      if let known = indices[bytes] {
        members[known].value = index
      } else {
        indices[bytes] = members.count
        members.append(Member(name: name, value: index, bytes: bytes))
      }
      index = endOfValue(index)
    }
    if isSorted { members.sort { $0.bytes.lexicographicallyPrecedes($1.bytes) } }
    return members
  }

  /// Advances to the next name, element or closing bracket, and returns its first byte.
  private func next(_ index: inout Int) -> UInt8 {
    index = text.skipSpace(index)
    if text[index] == ASCII.comma { index = text.skipSpace(index + 1) }
    return text[index]
  }

  /// Returns the end of a value. The document is well-formed, because the encoder wrote it.
  private func endOfValue(_ start: Int) -> Int {
    switch text[start] {
    case ASCII.quote: return Self.endOfString(text, start)
    case ASCII.leftBrace, ASCII.leftBracket: return ends[starts.lastIndex(whileTrue: { $0 <= start })]
    default:
      var index = start
      while index < text.count, text[index] != ASCII.comma, text[index] != ASCII.rightBrace,
        text[index] != ASCII.rightBracket, !ASCII.isBlank(text[index])
      { index += 1 }
      return index
    }
  }

  private func indent(_ level: Int) {
    writer.append(ASCII.newline)
    for _ in 0..<level { writer.append("  ") }
  }
}
