/// One value below the one that a ``NestedDecoder`` stands at, with what has been opened of it.
///
/// A decoder taken from `init(from:)` is one object that moves on: Foundation's hold a stack of values, so a captured
/// one soon stands elsewhere. Only the root keeps such a decoder, opened at once; further ones come from
/// `superDecoder()`, which makes a decoder that stays.
@usableFromInline
final class NestedValue {
  /// Where the value can be had again, since containers and values are different requests to a decoder.
  private enum Origin {
    case decoder(any Decoder)
    case member(of: NestedObject, AnyKey)
  }

  private let origin: Origin
  private var object: NestedObject?
  private var array: NestedArray?
  /// The members that were asked for; nil for one that is not there.
  private var members: [(key: AnyKey, value: NestedValue?)] = []

  /// - Parameters:
  ///   - decoder: A decoder that stands at the value.
  ///   - object: The value as an object, when it was opened as one.
  ///   - array: The value as an array, when it was opened as one.
  init(_ decoder: any Decoder, object: NestedObject? = nil, array: NestedArray? = nil) {
    origin = .decoder(decoder)
    self.object = object
    self.array = array
  }

  private init(of object: NestedObject, _ key: AnyKey) {
    origin = .member(of: object, key)
  }

  var codingPath: [any CodingKey] {
    switch origin {
    case .decoder(let decoder): decoder.codingPath
    case .member(let object, let key): object.container.codingPath + [key]
    }
  }

  var isNull: Bool {
    get throws {
      switch origin {
      case .decoder(let decoder): try decoder.singleValueContainer().decodeNil()
      case .member(let object, let key): try object.container.decodeNil(forKey: key)
      }
    }
  }

  func openObject() throws -> NestedObject {
    if let object { return object }
    let opened =
      switch origin {
      case .decoder(let decoder): NestedObject(try decoder.container(keyedBy: AnyKey.self))
      case .member(let parent, let key): try parent.object(forKey: key)
      }
    object = opened
    return opened
  }

  func openArray() throws -> NestedArray {
    if let array { return array }
    let opened = NestedArray(try unkeyedContainer())
    array = opened
    return opened
  }

  /// A container of its own, at the array's start.
  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    switch origin {
    case .decoder(let decoder): try decoder.unkeyedContainer()
    case .member(let parent, let key): try parent.container.nestedUnkeyedContainer(forKey: key)
    }
  }

  /// The member of that name, in an object; nil when it is not there.
  func member(_ key: AnyKey) throws -> NestedValue? {
    for index in members.indices where members[index].key == key { return members[index].value }
    let object = try openObject()
    let value = object.container.contains(key) ? NestedValue(of: object, key) : nil
    members.append((key, value))
    return value
  }

  /// A decoder that stands at the value and stays there; the root's, as long as its `init(from:)` runs.
  func decoder() throws -> any Decoder {
    switch origin {
    case .decoder(let decoder): decoder
    case .member(let object, let key): try object.container.superDecoder(forKey: key)
    }
  }

  /// Decodes the value itself.
  ///
  /// Never by `T(from:)`, which would go past what a decoder does for dates, URLs, data and decimals.
  func decode<T: Decodable>(_ type: T.Type) throws -> T {
    switch origin {
    case .decoder(let decoder): try decoder.singleValueContainer().decode(type)
    case .member(let object, let key): try object.container.decode(type, forKey: key)
    }
  }
}
