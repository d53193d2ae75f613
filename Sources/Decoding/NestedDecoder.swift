/// Uses paths to decode values at any depth below a decoder's current value.
///
/// ```swift
/// init(from decoder: any Decoder) throws {
///   let json = try decoder.nested()
///   title = try json.decode(at: "volumeInfo.title")
///   publisher = try json.decodeIfPresent(at: "volumeInfo.publisher")
/// }
/// ```
///
/// A nested decoder works with any `Decoder`, whether for JSON, property lists, or your own format. Descendant segments
/// (`..`), `$` in filters and functions in filters need a ``JSONBytesDecoder`` without a key strategy. Write the names
/// in a path as the decoder presents them after applying its key strategy. Containers that are opened along one path
/// are cached for later paths, so the object `volumeInfo` is opened only once, even if several paths pass through it.
///
/// A singular path is strict: a step into the wrong kind of value, such as a name applied to an array, causes an error
/// that identifies this value. The methods throw `DecodingError`, like the other decoding methods that are called
/// inside `init(from:)`.
///
/// Use a nested decoder, which is not `Sendable`, only in the `init(from:)` that created it, because the underlying
/// decoder moves on to other values afterward.
public struct NestedDecoder {
  let root: NestedRoot

  /// The coding path of the value that the paths start from.
  public var codingPath: [any CodingKey] { root.value.codingPath }

  /// Decodes the value at a path, or the first value if the path selects several.
  ///
  /// - Throws: `DecodingError.keyNotFound` or `valueNotFound` if the value is missing or null, `typeMismatch` if a step
  ///   leads into the wrong kind of value, `dataCorrupted` if the path is invalid, and any error thrown while decoding
  ///   the value.
  public func decode<T: Decodable>(_ type: T.Type = T.self, at path: JSONPath) throws -> T {
    do {
      if type == String.self {
        return reinterpret(try scalar(at: path) { try $0.decode(String.self, forKey: $1) }, as: type)
      }
      if type == Int.self { return reinterpret(try scalar(at: path) { try $0.decode(Int.self, forKey: $1) }, as: type) }
      if type == Double.self {
        return reinterpret(try scalar(at: path) { try $0.decode(Double.self, forKey: $1) }, as: type)
      }
      if type == Bool.self {
        return reinterpret(try scalar(at: path) { try $0.decode(Bool.self, forKey: $1) }, as: type)
      }
      return try value(at: path)
    } catch {
      throw located(error, type, at: path)
    }
  }

  /// Decodes the value at a path, or returns nil if the value, or any value along the path, is missing or null.
  ///
  /// - Throws: The same errors as ``decode(_:at:)``, except that missing and null values do not cause an error.
  public func decodeIfPresent<T: Decodable>(_ type: T.Type = T.self, at path: JSONPath) throws -> T? {
    do {
      if type == String.self {
        return reinterpret(
          try scalarIfPresent(at: path) { try $0.decodeIfPresent(String.self, forKey: $1) }, as: T?.self)
      }
      if type == Int.self {
        return reinterpret(try scalarIfPresent(at: path) { try $0.decodeIfPresent(Int.self, forKey: $1) }, as: T?.self)
      }
      if type == Double.self {
        return reinterpret(
          try scalarIfPresent(at: path) { try $0.decodeIfPresent(Double.self, forKey: $1) }, as: T?.self)
      }
      if type == Bool.self {
        return reinterpret(try scalarIfPresent(at: path) { try $0.decodeIfPresent(Bool.self, forKey: $1) }, as: T?.self)
      }
      return try valueIfPresent(at: path)
    } catch {
      throw located(error, type, at: path)
    }
  }
}

extension Decoder {
  /// Returns a nested decoder, which uses paths to decode values below this decoder's current value.
  ///
  /// - Throws: `DecodingError.typeMismatch` or `valueNotFound` if the value is neither an object nor an array.
  public func nested() throws -> NestedDecoder {
    NestedDecoder(root: try NestedRoot.of(self))
  }
}
