internal import Foundation

extension MembersEncoder.Identity {
  func isMember(_ name: String) -> Bool {
    if case .name(let first)? = steps.first { first.text.hasSameBytes(as: name) } else { false }
  }

  /// Whether a value of the identifying member identifies the type.
  func accepts(_ value: some Encodable) throws -> Bool {
    let text = try JSONBytesEncoder().encode(value)
    return text.withUnsafeBytes { DiscriminatorText.isOne(of: names, ByteView($0), at: 0) }
  }
}

/// The text of an encoded string, number or boolean.
enum DiscriminatorText {
  static func isOne(of names: [String], _ text: ByteView, at start: Int) -> Bool {
    guard start < text.count else { return false }
    var end = start
    if text[start] == ASCII.quote {
      end += 1
      while end < text.count, text[end] != ASCII.quote { end += text[end] == ASCII.backslash ? 2 : 1 }
      guard end < text.count else { return false }
      let name = text.unescaped(start + 1..<end)
      return names.contains { $0.utf8.elementsEqual(name) }
    }
    while end < text.count, text[end] != ASCII.comma, text[end] != ASCII.rightBrace { end += 1 }
    return names.contains { $0.utf8.elementsEqual(text.buffer(start, end)) }
  }
}
