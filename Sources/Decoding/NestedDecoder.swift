/// Decodes values from anywhere below the value that a decoder stands at, by path.
///
/// ```swift
/// init(from decoder: any Decoder) throws {
///   let json = try decoder.nested()
///   title = try json.decode(at: "volumeInfo.title")
///   publisher = try json.decodeIfPresent(at: "volumeInfo.publisher")
/// }
/// ```
///
/// It works on any `Decoder`: JSON's, a property list's, your own. Names are those that the decoder presents, that is
/// after its key strategy. What is opened on the way to one value is kept for the next, so many paths below one
/// `volumeInfo` open it once.
///
/// A singular path is strict: a step into the wrong kind of value throws and names it. Errors are `DecodingError`s, as
/// everywhere inside `init(from:)`.
///
/// Use it in the `init(from:)` that asked for it and nowhere else: decoders go on to other values after that. It is not
/// `Sendable`.
public struct NestedDecoder {
  @usableFromInline let root: NestedRoot

  /// The path of the value that the paths start from, as the decoder has it.
  public var codingPath: [any CodingKey] { root.value.codingPath }

  /// Decodes the value at a path; of a path that is not singular the first that it selects.
  ///
  /// - Throws: `DecodingError`: `keyNotFound` or `valueNotFound` where the path leads to nothing or to null,
  ///   `typeMismatch` for a step into the wrong kind of value, `dataCorrupted` for a path that is not one, and whatever
  ///   decoding the value throws.
  @inlinable
  public func decode<T: Decodable>(_ type: T.Type = T.self, at path: JSONPath) throws -> T {
    do {
      if type == String.self, let value = try string(at: path) as? T { return value }
      if type == Int.self, let value = try int(at: path) as? T { return value }
      if type == Double.self, let value = try double(at: path) as? T { return value }
      if type == Bool.self, let value = try bool(at: path) as? T { return value }
      return try value(at: path)
    } catch {
      throw located(error, type, at: path)
    }
  }

  /// Decodes the value at a path, or nil where it, or anything on the way to it, is missing or null.
  ///
  /// - Throws: `DecodingError` as ``decode(_:at:)``, but not for what is missing or null.
  @inlinable
  public func decodeIfPresent<T: Decodable>(_ type: T.Type = T.self, at path: JSONPath) throws -> T? {
    do {
      if type == String.self { return try stringIfPresent(at: path).flatMap { $0 as? T } }
      if type == Int.self { return try intIfPresent(at: path).flatMap { $0 as? T } }
      if type == Double.self { return try doubleIfPresent(at: path).flatMap { $0 as? T } }
      if type == Bool.self { return try boolIfPresent(at: path).flatMap { $0 as? T } }
      return try valueIfPresent(at: path)
    } catch {
      throw located(error, type, at: path)
    }
  }
}
