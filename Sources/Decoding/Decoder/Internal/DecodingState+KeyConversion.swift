internal import Foundation

extension DecodingState: KeyConverter {
  /// Returns the name to which the key decoding strategy converts a key; nil if it is the same.
  func convertedKey(_ key: ByteView, ofObjectAt index: Int) -> String? {
    if case .convertFromSnakeCase = options.keyDecodingStrategy {
      guard (0..<key.count).contains(where: { key[$0] == 0x5F }) else { return nil }
      return JSONDecoder.KeyDecodingStrategy.camelCase(key.text(0, key.count))
    }
    return options.keyDecodingStrategy.converted(
      key.text(0, key.count), path(index, scanner.node(index).pointee.value))
  }
}

extension BytesDecoder {
  /// Returns the name of a member in the document, given the name to which the key decoding strategy converts it.
  func documentName(of name: String) throws -> String? {
    guard state.options.convertsKeys else { return nil }
    let scanner = state.scanner
    let object = try state.openObject(value, node)
    let position = name.withByteView { scanner.findKey(object, $0) }
    return position < 0 ? nil : scanner.name(ofKeyAt: Int(scanner.entry(position).pointee.key))
  }
}
