internal import Foundation

/// The state that all parts of one document share.
final class SharedEncodingState {
  private(set) var options: EncodingOptions
  private(set) var convertsKeys = false
  private(set) var escapesSlashes = true
  let types = EncodingTypes { $0 as? any DirectlyEncodable.Type }
  /// Whether an object may have a duplicate name; rarely true without one.
  var mayRepeatNames = false
  /// Whether there are states other than the document's, which users may retain.
  var hasParts = false
  private var snakeCase: [AnyKey: String] = [:]

  init(_ options: EncodingOptions) {
    self.options = options
    use(options)
  }

  func use(_ options: EncodingOptions) {
    self.options = options
    convertsKeys = options.convertsKeys
    escapesSlashes = !options.outputFormatting.contains(.withoutEscapingSlashes)
  }

  var needsLayout: Bool {
    mayRepeatNames || !options.outputFormatting.isDisjoint(with: [.prettyPrinted, .sortedKeys])
  }

  func convertedName<Key: CodingKey>(_ key: Key, _ path: () -> [any CodingKey]) -> String {
    if Key.self == AnyKey.self, reinterpret(key, as: AnyKey.self).isVerbatim { return key.stringValue }
    switch options.keyEncodingStrategy {
    case .useDefaultKeys: return key.stringValue
    case .convertToSnakeCase:
      let name = AnyKey(stringValue: key.stringValue)
      if let known = snakeCase[name] { return known }
      let converted = SnakeCase.name(name.stringValue)
      // Limited, because a document can have any number of names.
      if snakeCase.count == 1024 { snakeCase.removeAll() }
      snakeCase[name] = converted
      return converted
    case .custom(let convert): return convert(path() + [key]).stringValue
    @unknown default: return key.stringValue
    }
  }
}
