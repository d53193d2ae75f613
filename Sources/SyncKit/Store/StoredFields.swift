internal import Foundation
internal import Persistence

/// The form in which a store keeps fields that are in flight, rejected, reported or not yet applied: JSON with the
/// names of the columns, so that they survive a migration that renames, adds or removes some.
struct StoredFields: Codable {
  fileprivate var values: [String: Value]

  fileprivate enum Value: Codable {
    case null
    case integer(Int64)
    /// The bits, because JSON has no infinity.
    case real(UInt64)
    case text(String)
    case blob(Data)
    case object(Int64)
    indirect case key(Value)
    indirect case list([Value])
  }

  init(_ fields: Fields, of entity: SyncClass) {
    values = [:]
    for (attribute, value) in zip(entity.attributes, fields.values) {
      if let value { values[attribute.name] = Value(value) }
    }
  }

  func fields(of entity: SyncClass) -> Fields {
    Fields(
      ContiguousArray(
        entity.attributes.map { attribute in
          guard case .list(let members)? = values[attribute.name] else { return values[attribute.name]?.value }
          return .list(SyncList(members.map(\.value), isOrdered: attribute.kind == .list))
        }))
  }

  static func text(_ fields: Fields?, of entity: SyncClass) throws -> StoredValue {
    guard let fields else { return .null }
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    return .text(String(decoding: try encoder.encode(StoredFields(fields, of: entity)), as: UTF8.self))
  }

  static func fields(_ stored: StoredValue, of entity: SyncClass) throws -> Fields? {
    guard case .text(let text) = stored else { return nil }
    return try JSONDecoder().decode(StoredFields.self, from: Data(text.utf8)).fields(of: entity)
  }
}

extension StoredFields.Value {
  fileprivate init(_ value: SyncValue) {
    switch value {
    case .plain(let value): self.init(value)
    case .object(let id): self = .object(id)
    case .key(let key): self = .key(Self(key.value))
    case .list(let list): self = .list(list.members.map { Self($0) })
    }
  }

  private init(_ value: StoredValue) {
    switch value {
    case .null, .unstorable: self = .null
    case .integer(let number): self = .integer(number)
    case .real(let number): self = .real(number.bitPattern)
    case .text(let text): self = .text(text)
    case .blob(let bytes): self = .blob(bytes)
    }
  }

  fileprivate var value: SyncValue {
    switch self {
    case .object(let id): .object(id)
    case .key(let key): .key(SyncKey(key.stored))
    default: .plain(stored)
    }
  }

  private var stored: StoredValue {
    switch self {
    case .null, .object, .key, .list: .null
    case .integer(let number): .integer(number)
    case .real(let bits): .real(Double(bitPattern: bits))
    case .text(let text): .text(text)
    case .blob(let bytes): .blob(bytes)
    }
  }
}
