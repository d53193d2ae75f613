/// One value below that of a ``NestedDecoder``, and what has been opened of it.
///
/// A decoder passed to `init(from:)` is one object that advances: Foundation's holds a stack of values, so a captured
/// one soon refers to another value. Only the root stores such a decoder, which it opens immediately. Further decoders
/// come from `superDecoder()`, which creates one that remains at its value.
final class NestedValue {
  /// How to obtain the value again, because containers and values are different requests to a decoder.
  private enum Origin {
    case decoder(any Decoder)
    case member(of: NestedObject, AnyKey)
  }

  private let origin: Origin
  private var object: NestedObject?
  private var array: NestedArray?
  /// The members that were requested; nil for a missing one.
  private var members: [(key: AnyKey, value: NestedValue?)] = []

  /// - Parameters:
  ///   - decoder: A decoder that is positioned at the value.
  ///   - object: The value as an object, if it was opened as one.
  ///   - array: The value as an array, if it was opened as one.
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

  /// Returns a new container that starts at the array's first element.
  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    switch origin {
    case .decoder(let decoder): try decoder.unkeyedContainer()
    case .member(let parent, let key): try parent.container.nestedUnkeyedContainer(forKey: key)
    }
  }

  /// Returns the member of an object with a name; nil if it is missing.
  func member(_ key: AnyKey) throws -> NestedValue? {
    for index in members.indices where members[index].key == key { return members[index].value }
    let object = try openObject()
    let value = object.container.contains(key) ? NestedValue(of: object, key) : nil
    members.append((key, value))
    return value
  }

  /// Returns a decoder that remains at the value; the root's is valid only while its `init(from:)` runs.
  func decoder() throws -> any Decoder {
    switch origin {
    case .decoder(let decoder): decoder
    case .member(let object, let key): try object.container.superDecoder(forKey: key)
    }
  }

  /// Decodes the value itself.
  ///
  /// It never calls `T(from:)`, which would bypass a decoder's special handling of dates, URLs, data and decimals.
  func decode<T: Decodable>(_ type: T.Type) throws -> T {
    switch origin {
    case .decoder(let decoder): try decoder.singleValueContainer().decode(type)
    case .member(let object, let key): try object.container.decode(type, forKey: key)
    }
  }
}
