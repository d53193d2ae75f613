internal import Foundation

/// Encoding values depending on their type.
extension EncodingState {
  func encodeRoot<T: Encodable>(_ value: T) throws {
    let slot = shared.types.slot(for: T.self)
    guard slot.kind == .plain else { return try encode(value, slot) }
    try encodeOpen(value, mayBeNothing: false) { try value.encode(to: $0) }
  }

  /// Encodes a value whose path is longer by the suffix and the entry.
  @inline(__always)
  func encode<T: Encodable>(_ value: T, _ suffix: [any CodingKey], _ entry: consuming PathEntry) throws {
    let depth = descend(suffix, entry)
    defer { ascend(to: depth) }
    try encode(value, shared.types.slot(for: T.self))
  }

  /// Encodes the value at the current path.
  @inline(__always)
  func encode<T: Encodable>(_ value: T, _ slot: EncodingTypes.Slot) throws {
    switch slot.kind {
    case .plain: try encodeOpen(value) { try value.encode(to: $0) }
    case .collection:
      func encode<C: DirectlyEncodable>(_: C.Type) throws { try reinterpret(value, as: C.self).encodeDirectly(self) }
      // The cache sets both together.
      try encode(slot.collection.unsafelyUnwrapped)
    case .int: writer.append(reinterpret(value, as: Int.self))
    case .int64: writer.append(reinterpret(value, as: Int64.self))
    case .int32: writer.append(reinterpret(value, as: Int32.self))
    case .uint64: writer.append(reinterpret(value, as: UInt64.self))
    case .double: try encode(reinterpret(value, as: Double.self)) { codingPath(core.pointee.path.count, []) }
    case .float: try encode(reinterpret(value, as: Float.self)) { codingPath(core.pointee.path.count, []) }
    case .string: writer.append(reinterpret(value, as: String.self), escapesSlashes: shared.escapesSlashes)
    case .bool: writer.append(reinterpret(value, as: Bool.self))
    case .date: try encode(reinterpret(value, as: Date.self))
    case .url: writer.append(reinterpret(value, as: URL.self).absoluteString, escapesSlashes: shared.escapesSlashes)
    case .data: try encode(reinterpret(value, as: Data.self))
    case .decimal: try encode(reinterpret(value, as: Decimal.self))
    }
  }

  @inline(__always)
  func encode<T: BinaryFloatingPoint & LosslessStringConvertible>(_ number: T, _ path: () -> [any CodingKey]) throws {
    guard number.isFinite else { return try encodeNonConforming(number, path) }
    writer.append(finite: number)
  }

  @inline(never)
  private func encodeNonConforming<T: BinaryFloatingPoint>(_ number: T, _ path: () -> [any CodingKey]) throws {
    guard case .convertToString(let positive, let negative, let nan) = shared.options.nonConformingFloatEncodingStrategy
    else {
      throw EncodingError.invalid(number, at: path(), "Unable to encode \(T.self).\(number) directly in JSON.")
    }
    let text = number.isNaN ? nan : number < 0 ? negative : positive
    writer.append(text, escapesSlashes: shared.escapesSlashes)
  }

  private func encode(_ date: Date) throws {
    func path() -> [any CodingKey] { codingPath(core.pointee.path.count, []) }
    switch shared.options.dateEncodingStrategy {
    case .deferredToDate: try encode(date.timeIntervalSinceReferenceDate, path)
    case .secondsSince1970: try encode(date.timeIntervalSince1970, path)
    case .millisecondsSince1970: try encode(1000 * date.timeIntervalSince1970, path)
    case .iso8601:
      guard let text = ISO8601Text(secondOf: date) else {
        return writer.append(date.formatted(.iso8601), escapesSlashes: shared.escapesSlashes)
      }
      text.encodeDirectly(self)
    #if canImport(ObjectiveC)
    case .formatted(let formatter): writer.append(formatter.string(from: date), escapesSlashes: shared.escapesSlashes)
    #endif
    case .custom(let closure): try encodeOpen(date) { try closure(date, $0) }
    @unknown default:
      throw EncodingError.invalid(date, at: path(), "This date encoding strategy is not supported.")
    }
  }

  private func encode(_ data: Data) throws {
    switch shared.options.dataEncodingStrategy {
    case .deferredToData: try encodeOpen(data) { try data.encode(to: $0) }
    case .base64: writer.append(data.base64EncodedString(), escapesSlashes: shared.escapesSlashes)
    case .custom(let closure): try encodeOpen(data) { try closure(data, $0) }
    @unknown default:
      throw EncodingError.invalid(
        data, at: codingPath(core.pointee.path.count, []), "This data encoding strategy is not supported.")
    }
  }

  private func encode(_ decimal: Decimal) throws {
    guard !decimal.isNaN else {
      throw EncodingError.invalid(
        decimal, at: codingPath(core.pointee.path.count, []), "Unable to encode Decimal.nan directly in JSON.")
    }
    writer.append(decimal)
  }
}
