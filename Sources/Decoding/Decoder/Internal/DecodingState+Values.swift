internal import Foundation

/// The location of a value: either its existing node, or a parent node and a key.
struct ValuePlace {
  var parent: Int
  var key: UInt32
  var kind: ValueNode.KeyKind

  /// Returns the location of a value whose own node is `node`.
  @inline(__always)
  static func node(_ node: Int) -> ValuePlace { ValuePlace(parent: node, key: 0, kind: .root) }
}

extension DecodingState {
  /// Decodes the value at `value` as any type.
  @inline(__always)
  func decode<T: Decodable>(_ type: T.Type, _ value: UInt32, _ place: ValuePlace) throws -> T {
    let slot = slot(for: type)
    switch slot.kind {
    case .plain, .collection: return try decodeContainer(type, slot, value, place)
    default: return try decodeKnown(type, slot.kind, value, place)
    }
  }

  @inline(__always)
  private func decodeContainer<T: Decodable>(
    _ type: T.Type, _ slot: DecodingTypes.Slot, _ value: UInt32, _ place: ValuePlace
  ) throws -> T {
    guard let collection = slot.collection else {
      return try decodeInside(value, place) { decoder in try noting(type, decoder) { try T(from: $0) } }
    }
    return reinterpret(try decodeAtNode(value, place) { try collection.decodeDirectly(self, value, $0) }, as: type)
  }

  /// Calls a closure with a decoder of the value, and skips what the closure has not read of it.
  @inline(__always)
  func decodeInside<Value>(_ value: UInt32, _ place: ValuePlace, _ body: (BytesDecoder) throws -> Value) throws -> Value
  {
    try decodeAtNode(value, place) { node in
      let result = try body(BytesDecoder(state: self, value: value, node: UInt32(truncatingIfNeeded: node)))
      if place.kind != .root { scanner.finish(node) }
      return result
    }
  }

  /// Runs code of a decoded type, and records where it threw its own error.
  @inline(__always)
  func noting<Value>(
    _ type: Any.Type, _ decoder: BytesDecoder, _ body: (BytesDecoder) throws -> Value
  ) throws -> Value {
    do {
      return try body(decoder)
    } catch {
      throw noted(error, by: type, decoder.value)
    }
  }

  /// Runs a closure with the value's node. What it recorded is removed when it returns, unless the node existed before.
  @inline(__always)
  private func decodeAtNode<Value>(_ value: UInt32, _ place: ValuePlace, _ body: (Int) throws -> Value) throws -> Value
  {
    let core = scanner.core
    let (count, mark, frame) = (core.pointee.nodeCount, core.pointee.arenaCount, core.pointee.frame)
    let isOwn = place.kind == .root
    let node = isOwn ? place.parent : scanner.pushNode(value, parent: place.parent, key: place.key, place.kind)
    core.pointee.frame = node
    defer {
      core.pointee.frame = frame
      core.pointee.nodeCount = count
      if !isOwn { scanner.cutArena(mark) }
    }
    let result = try body(node)
    if scanner.node(node).pointee.invalid != 0 { throw invalidNameError(node) }
    return result
  }

  /// Decodes types that need no `init(from:)`.
  @inline(never)
  func decodeKnown<T: Decodable>(
    _ type: T.Type, _ kind: ValueTypeKind, _ value: UInt32, _ place: ValuePlace
  ) throws -> T {
    switch kind {
    case .plain, .collection: break  // the caller has handled these
    case .int: if let result = Int.read(scanner, value) { return reinterpret(result, as: type) }
    case .int64: if let result = Int64.read(scanner, value) { return reinterpret(result, as: type) }
    case .int32: if let result = Int32.read(scanner, value) { return reinterpret(result, as: type) }
    case .uint64: if let result = UInt64.read(scanner, value) { return reinterpret(result, as: type) }
    case .string: if let result = String.read(scanner, value) { return reinterpret(result, as: type) }
    case .bool: if let result = Bool.read(scanner, value) { return reinterpret(result, as: type) }
    case .double:
      if let result = Double.read(scanner, value) { return reinterpret(result, as: type) }
      if let result = nonConforming(value, as: Double.self) { return reinterpret(result, as: type) }
    case .float:
      if let result = Float.read(scanner, value) { return reinterpret(result, as: type) }
      if let result = nonConforming(value, as: Float.self) { return reinterpret(result, as: type) }
    case .date: return reinterpret(try date(value, place), as: type)
    case .data: return reinterpret(try data(value, place), as: type)
    case .url:
      if let text = String.read(scanner, value) {
        guard let url = URL(string: text) else {
          throw DecodingError.corrupted("Invalid URL string.", at: path(value, place))
        }
        return reinterpret(url, as: type)
      }
      if !scanner.isNull(value) { throw error(value, String.self, path(value, place)) }
    case .decimal:
      if let result = decimal(value) { return reinterpret(result, as: type) }
    }
    throw error(value, type, path(value, place))
  }

  /// Returns the path of a value that may have no node yet.
  @inline(never)
  func path(_ value: UInt32, _ place: ValuePlace) -> [any CodingKey] {
    if place.kind == .root { return path(place.parent, value) }
    let count = scanner.core.pointee.nodeCount
    defer { scanner.core.pointee.nodeCount = count }
    return path(scanner.pushNode(value, parent: place.parent, key: place.key, place.kind), value)
  }

  /// Returns the number that the strategy defines for a string such as `"inf"`.
  @inline(never)
  func nonConforming<Number: BinaryFloatingPoint>(_ value: UInt32, as _: Number.Type) -> Number? {
    guard
      case .convertFromString(let positive, let negative, let nan) = options.nonConformingFloatDecodingStrategy,
      let text = String.read(scanner, value)
    else { return nil }
    switch text {
    case positive: return .infinity
    case negative: return -.infinity
    case nan: return .nan
    default: return nil
    }
  }
}
