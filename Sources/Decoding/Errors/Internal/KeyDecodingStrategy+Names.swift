internal import Foundation

extension JSONDecoder.KeyDecodingStrategy {
  /// Whether names may be converted.
  var convertsNames: Bool { if case .useDefaultKeys = self { false } else { true } }

  /// Returns the name to which a name in the document is converted; nil if it is not.
  func converted(_ name: String, _ path: @autoclosure () -> [any CodingKey]) -> String? {
    switch self {
    case .useDefaultKeys: nil
    case .convertFromSnakeCase: Self.camelCase(name)
    case .custom(let convert): convert(path() + [PathKey(name)]).stringValue
    @unknown default: nil
    }
  }

  /// Returns the step that a key of the type has in a document, if it leads to nothing.
  func step(to key: any CodingKey) -> PathStep {
    let step = PathStep(key)
    if case .convertFromSnakeCase = self, case .name = step {
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
