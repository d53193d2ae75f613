/// The text typed so far, key by key, including keys that delete characters.
///
/// A terminal's bytes can arrive in pieces of any size. Cursor and function keys have no meaning here and are skipped.
struct TypedText {
  /// The effect of a byte.
  enum Outcome: Equatable {
    case changed(String)
    /// Return, or Ctrl-D.
    case ended
    /// Ctrl-C.
    case interrupted
  }

  private enum Escape {
    case begun
    case sequence
  }

  private(set) var text = ""
  /// The bytes of an incomplete character.
  private var pending: [UInt8] = []
  private var escape: Escape?

  /// - Returns: Nil if the byte changes nothing.
  mutating func take(_ byte: UInt8) -> Outcome? {
    if let escape {
      skip(byte, in: escape)
      return nil
    }
    switch byte {
    case 0x03: return .interrupted
    case 0x04, 0x0A, 0x0D: return .ended
    case 0x08, 0x7F: return change { _ = $0.popLast() }
    case 0x15: return change { $0.removeAll() }
    case 0x17: return change(Self.removeWord)
    case 0x1B:
      escape = .begun
      return nil
    case ..<0x20: return nil
    default: return add(byte)
    }
  }

  /// Skips to the final letter: `ESC [ 1 ; 5 C`, `ESC O P`, or `ESC` and one key.
  private mutating func skip(_ byte: UInt8, in escape: Escape) {
    switch escape {
    case .begun: self.escape = byte == UInt8(ascii: "[") || byte == UInt8(ascii: "O") ? .sequence : nil
    case .sequence: if (0x40...0x7E).contains(byte) { self.escape = nil }
    }
  }

  private mutating func add(_ byte: UInt8) -> Outcome? {
    pending.append(byte)
    guard let characters = String(validating: pending, as: UTF8.self) else {
      // A character has at most four bytes, so these bytes are not valid UTF-8.
      if pending.count >= 4 { pending.removeAll() }
      return nil
    }
    pending.removeAll()
    return change { $0 += characters }
  }

  private mutating func change(_ body: (inout String) -> Void) -> Outcome? {
    pending.removeAll()
    let before = text
    body(&text)
    return text == before ? nil : .changed(text)
  }

  private static func removeWord(_ text: inout String) {
    while text.last == " " { text.removeLast() }
    while let last = text.last, last != " " { text.removeLast() }
  }
}
