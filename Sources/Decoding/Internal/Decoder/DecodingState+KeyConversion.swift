internal import Foundation

extension DecodingState {
  /// The name that the key decoding strategy makes of a key; nil where it is the same.
  func convertedKey(_ key: ByteView, ofObjectAt index: Int) -> String? {
    if case .convertFromSnakeCase = options.keyDecodingStrategy {
      guard (0..<key.count).contains(where: { key[$0] == 0x5F }) else { return nil }
      return KeyMatching.camelCase(key.text(0, key.count))
    }
    let name = key.text(0, key.count)
    return converted(name, path(index, scanner.node(index).pointee.value))
  }

  func converted(_ name: String, _ path: [any CodingKey]) -> String? {
    switch options.keyDecodingStrategy {
    case .useDefaultKeys: return nil
    case .convertFromSnakeCase: return KeyMatching.camelCase(name)
    case .custom(let convert): return convert(path + [PathKey(name)]).stringValue
    @unknown default: return nil
    }
  }
}
