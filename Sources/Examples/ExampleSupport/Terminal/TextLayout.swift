/// Measures, wraps and shortens text for a terminal.
public enum TextLayout {
  /// Wraps text between words into lines with at most the given number of columns. A word that is longer than a line is
  /// placed on a line of its own and is not split.
  ///
  /// - Parameters:
  ///   - indent: The indentation of each line.
  ///   - hanging: The additional indentation of each line except the first.
  public static func wrap(_ text: String, columns: Int, indent: String = "", hanging: String = "") -> [String] {
    var lines: [String] = []
    var line = ""
    for word in text.split(separator: " ") {
      let start = indent + (lines.isEmpty ? "" : hanging)
      if !line.isEmpty, width(of: start) + width(of: line) + 1 + width(of: word) > columns {
        lines.append(start + line)
        line = ""
      }
      line += (line.isEmpty ? "" : " ") + word
    }
    lines.append(indent + (lines.isEmpty ? "" : hanging) + line)
    return lines
  }

  /// Arranges terms and their meanings side by side if there is enough space, or otherwise one below the other.
  static func columns(_ rows: [(term: String, meaning: String)], columns: Int) -> [String] {
    let left = min(rows.map { width(of: $0.term) }.max() ?? 0, columns * 2 / 5)
    return rows.flatMap { term, meaning in
      let indent = String(repeating: " ", count: left + 4)
      let lines = wrap(meaning, columns: columns, indent: indent)
      guard width(of: term) <= left else { return wrap(term, columns: columns, indent: "  ", hanging: "    ") + lines }
      return ["  \(padded(term, to: left))  \(lines[0].dropFirst(left + 4))"] + lines.dropFirst()
    }
  }

  /// Returns the number of terminal columns that a string occupies. Chinese, Japanese and Korean characters and most
  /// emoji count as two columns, control characters and zero-width spaces count as zero, and all other characters count
  /// as one.
  public static func width(of text: some StringProtocol) -> Int {
    text.reduce(0) { $0 + width(of: $1) }
  }

  static func width(of character: Character) -> Int {
    guard let first = character.unicodeScalars.first else { return 0 }
    switch first.value {
    case 0..<0x20, 0x7F..<0xA0, 0x200B...0x200F, 0x2060: return 0
    case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
      0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F, 0x1F680...0x1F6FF, 0x1F900...0x1FAFF, 0x20000...0x3FFFD:
      return 2
    default: return 1
    }
  }

  /// As much of the end of a text as fits. While someone types, the end is the part that changes.
  static func end(of text: String, within columns: Int) -> String {
    var end = text[...]
    while width(of: end) > columns { end.removeFirst() }
    return String(end)
  }

  static func padded(_ text: String, to columns: Int) -> String {
    text + String(repeating: " ", count: max(0, columns - width(of: text)))
  }

  /// Converts text to a single line without control characters. Use this method for text from a server, which could
  /// otherwise control the terminal.
  ///
  /// Line breaks and tabs become spaces. Characters that move the cursor, change colors or reverse the writing
  /// direction are removed.
  public static func printable(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: { $0.isCommand || $0.isBreak }) else { return text }
    var printable = String.UnicodeScalarView()
    for scalar in text.unicodeScalars where scalar.isBreak || !scalar.isCommand {
      printable.append(scalar.isBreak ? " " : scalar)
    }
    return String(printable)
  }

  /// Returns the text as converted by ``printable(_:)``. If the text occupies more than the given number of columns, it
  /// is shortened and ends with an ellipsis.
  public static func cut(_ text: String, to columns: Int?) -> String {
    let text = printable(text).filter { width(of: $0) > 0 }
    guard let columns, width(of: text) > columns else { return text }
    var cut = ""
    var left = columns - 1
    for character in text {
      left -= width(of: character)
      guard left >= 0 else { break }
      cut.append(character)
    }
    return cut + "…"
  }
}
