internal import Foundation

/// Finds the names of a coding path again in the document from which they were read.
struct KeyMatching {
  var strategy: JSONDecoder.KeyDecodingStrategy

  /// Whether names may be converted.
  var convertsNames: Bool {
    if case .useDefaultKeys = strategy { false } else { true }
  }

  /// Whether the decoder would convert the document's `name` to `key`.
  func presents(_ name: String, as key: any CodingKey, in codingPath: [any CodingKey]) -> Bool {
    switch strategy {
    case .useDefaultKeys: return false
    case .convertFromSnakeCase: return Self.camelCase(name).hasSameBytes(as: key.stringValue)
    case .custom(let convert):
      return convert(codingPath + [AnyKey(stringValue: name)]).stringValue.hasSameBytes(as: key.stringValue)
    @unknown default: return false
    }
  }

  /// Returns the step that a key of the type has in a document, if it leads to nothing.
  func step(to key: any CodingKey) -> PathStep {
    let step = PathStep(key)
    if case .convertFromSnakeCase = strategy, case .name = step {
      let name = Self.snakeCase(key.stringValue)
      if Self.camelCase(name).hasSameBytes(as: key.stringValue) { return .name(ByteString(name)) }
    }
    return step
  }

  private static func snakeCase(_ name: String) -> String {
    var snake = ""
    for character in name {
      let startsWord = character.isUppercase && !snake.isEmpty
      snake += (startsWord ? "_" : "") + (character.isUppercase ? character.lowercased() : String(character))
    }
    return snake
  }

  /// Implements `convertFromSnakeCase` as Foundation documents it: leading and trailing underscores are preserved.
  static func camelCase(_ name: String) -> String {
    guard let first = name.firstIndex(where: { $0 != "_" }), let last = name.lastIndex(where: { $0 != "_" }) else {
      return name
    }
    let words = name[first...last].split(separator: "_")
    guard words.count > 1 else { return name }
    let joined = words[0].lowercased() + words.dropFirst().map(\.capitalized).joined()
    return name[..<first] + joined + name[name.index(after: last)...]
  }
}
