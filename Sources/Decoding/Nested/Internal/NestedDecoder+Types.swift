/// Decoding by type: common types reach the decoder's own methods for them, because its generic method costs up to half
/// as much again.
extension NestedDecoder {
  func value<T: Decodable>(at path: JSONPath) throws -> T {
    if case .value(let value) = try root.found(T.self, at: path) { return value }
    return try slowValue(at: path) { try $0.decode(T.self, forKey: $1) }
  }

  func valueIfPresent<T: Decodable>(at path: JSONPath) throws -> T? {
    switch try root.found(T.self, at: path) {
    case .value(let value): value
    case .absent: nil
    case .needsSlowPath: try slowValueIfPresent(at: path) { try $0.decodeIfPresent(T.self, forKey: $1) }
    }
  }

  @inline(__always)
  func scalar<Scalar: JSONScalar>(
    at path: JSONPath, _ decode: (KeyedDecodingContainer<AnyKey>, AnyKey) throws -> Scalar
  ) throws -> Scalar {
    if case .value(let value) = root.scalar(Scalar.self, at: path) { return value }
    return try slowValue(at: path, decode)
  }

  @inline(__always)
  func scalarIfPresent<Scalar: JSONScalar>(
    at path: JSONPath, _ decode: (KeyedDecodingContainer<AnyKey>, AnyKey) throws -> Scalar?
  ) throws -> Scalar? {
    switch root.scalar(Scalar.self, at: path) {
    case .value(let value): value
    case .absent: nil
    case .needsSlowPath: try slowValueIfPresent(at: path, decode)
    }
  }

  @inline(__always)
  private func slowValue<T: Decodable>(
    at path: JSONPath, _ decode: (KeyedDecodingContainer<AnyKey>, AnyKey) throws -> T
  ) throws -> T {
    if let (object, key) = try root.place(of: path) { return try decode(object.container, key) }
    return try root.value(at: path).decode(T.self)
  }

  @inline(__always)
  private func slowValueIfPresent<T: Decodable>(
    at path: JSONPath, _ decode: (KeyedDecodingContainer<AnyKey>, AnyKey) throws -> T?
  ) throws -> T? {
    guard path.compiled.place != nil else { return try root.valueIfPresent(at: path)?.decode(T.self) }
    return try root.placeIfPresent(of: path).flatMap { try decode($0.container, $1) }
  }
}
