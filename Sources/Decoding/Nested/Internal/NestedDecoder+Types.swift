/// Decoding by type, so that common types reach the decoder's own methods for them; a decoder's generic method costs up
/// to half as much again. The generic entry points are inlined into the caller and choose one at compile time.
extension NestedDecoder {
  @usableFromInline
  func value<T: Decodable>(at path: JSONPath) throws -> T {
    if case .value(let value) = try root.found(T.self, at: path) { return value }
    if let (object, key) = try root.place(of: path) { return try object.container.decode(T.self, forKey: key) }
    return try root.value(at: path).decode(T.self)
  }

  @usableFromInline
  func valueIfPresent<T: Decodable>(at path: JSONPath) throws -> T? {
    switch try root.found(T.self, at: path) {
    case .value(let value): return value
    case .absent: return nil
    case .needsSlowPath: break
    }
    if path.compiled.place != nil {
      guard let (object, key) = try root.placeIfPresent(of: path) else { return nil }
      return try object.container.decodeIfPresent(T.self, forKey: key)
    }
    return try root.valueIfPresent(at: path)?.decode(T.self)
  }

  @usableFromInline
  func string(at path: JSONPath) throws -> String {
    if case .value(let value) = root.scalar(String.self, at: path) { return value }
    guard let (object, key) = try root.place(of: path) else { return try value(at: path) }
    return try object.container.decode(String.self, forKey: key)
  }

  @usableFromInline
  func stringIfPresent(at path: JSONPath) throws -> String? {
    switch root.scalar(String.self, at: path) {
    case .value(let value): return value
    case .absent: return nil
    case .needsSlowPath: break
    }
    guard path.compiled.place != nil else { return try valueIfPresent(at: path) }
    guard let (object, key) = try root.placeIfPresent(of: path) else { return nil }
    return try object.container.decodeIfPresent(String.self, forKey: key)
  }

  @usableFromInline
  func int(at path: JSONPath) throws -> Int {
    if case .value(let value) = root.scalar(Int.self, at: path) { return value }
    guard let (object, key) = try root.place(of: path) else { return try value(at: path) }
    return try object.container.decode(Int.self, forKey: key)
  }

  @usableFromInline
  func intIfPresent(at path: JSONPath) throws -> Int? {
    switch root.scalar(Int.self, at: path) {
    case .value(let value): return value
    case .absent: return nil
    case .needsSlowPath: break
    }
    guard path.compiled.place != nil else { return try valueIfPresent(at: path) }
    guard let (object, key) = try root.placeIfPresent(of: path) else { return nil }
    return try object.container.decodeIfPresent(Int.self, forKey: key)
  }

  @usableFromInline
  func double(at path: JSONPath) throws -> Double {
    if case .value(let value) = root.scalar(Double.self, at: path) { return value }
    guard let (object, key) = try root.place(of: path) else { return try value(at: path) }
    return try object.container.decode(Double.self, forKey: key)
  }

  @usableFromInline
  func doubleIfPresent(at path: JSONPath) throws -> Double? {
    switch root.scalar(Double.self, at: path) {
    case .value(let value): return value
    case .absent: return nil
    case .needsSlowPath: break
    }
    guard path.compiled.place != nil else { return try valueIfPresent(at: path) }
    guard let (object, key) = try root.placeIfPresent(of: path) else { return nil }
    return try object.container.decodeIfPresent(Double.self, forKey: key)
  }

  @usableFromInline
  func bool(at path: JSONPath) throws -> Bool {
    if case .value(let value) = root.scalar(Bool.self, at: path) { return value }
    guard let (object, key) = try root.place(of: path) else { return try value(at: path) }
    return try object.container.decode(Bool.self, forKey: key)
  }

  @usableFromInline
  func boolIfPresent(at path: JSONPath) throws -> Bool? {
    switch root.scalar(Bool.self, at: path) {
    case .value(let value): return value
    case .absent: return nil
    case .needsSlowPath: break
    }
    guard path.compiled.place != nil else { return try valueIfPresent(at: path) }
    guard let (object, key) = try root.placeIfPresent(of: path) else { return nil }
    return try object.container.decodeIfPresent(Bool.self, forKey: key)
  }
}
