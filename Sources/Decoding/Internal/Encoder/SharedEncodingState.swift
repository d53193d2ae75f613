internal import Foundation

/// What all parts of one document share.
final class SharedEncodingState {
  private(set) var options: EncodingOptions
  private(set) var convertsKeys: Bool
  private(set) var escapesSlashes: Bool
  let types = EncodingTypes { $0 as? any DirectlyEncodable.Type }
  /// Whether an object may have a name twice; seldom set without reason.
  var mayRepeatNames = false
  /// Whether there are states beside the document's, which a user may keep.
  var hasParts = false
  private var snakeCase: [String: String] = [:]

  init(_ options: EncodingOptions) {
    self.options = options
    convertsKeys = options.convertsKeys
    escapesSlashes = !options.outputFormatting.contains(.withoutEscapingSlashes)
  }

  func use(_ options: EncodingOptions) {
    self.options = options
    convertsKeys = options.convertsKeys
    escapesSlashes = !options.outputFormatting.contains(.withoutEscapingSlashes)
  }

  var needsLayout: Bool {
    mayRepeatNames || !options.outputFormatting.isDisjoint(with: [.prettyPrinted, .sortedKeys])
  }

  func convertedName(_ key: some CodingKey, _ path: () -> [any CodingKey]) -> String {
    switch options.keyEncodingStrategy {
    case .useDefaultKeys: return key.stringValue
    case .convertToSnakeCase:
      let name = key.stringValue
      if let known = snakeCase[name] { return known }
      let converted = SnakeCase.name(name)
      // Names may be as many as a document has.
      if snakeCase.count == 1024 { snakeCase.removeAll() }
      snakeCase[name] = converted
      return converted
    case .custom(let convert): return convert(path() + [key]).stringValue
    @unknown default: return key.stringValue
    }
  }
}
