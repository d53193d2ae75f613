internal import Foundation

extension DecodingState: KeyConverter {
  /// Returns the name to which the key decoding strategy converts a key; nil if it is the same.
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

extension BytesDecoder {
  /// Returns the name of a member in the document, given the name to which the key decoding strategy converts it.
  func documentName(of name: String) throws -> String? {
    guard state.options.convertsKeys else { return nil }
    let scanner = state.scanner
    var name = name
    let object = try state.openObject(value, node)
    let position = name.withUTF8 { scanner.findKey(object, ByteView(UnsafeRawBufferPointer($0))) }
    return position < 0 ? nil : scanner.name(ofKeyAt: Int(scanner.entry(position).key))
  }
}
