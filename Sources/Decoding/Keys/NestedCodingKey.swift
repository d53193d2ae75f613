/// Coding keys whose raw values are paths, so that a synthesized `Codable` type can access nested values.
///
/// ```swift
/// struct Book: Codable {
///   var title: String
///   var isbn: String?
///
///   enum CodingKeys: String, NestedCodingKey {
///     case title = "volumeInfo.title"
///     case isbn = "volumeInfo.industryIdentifiers[?@.type=='ISBN_13'].identifier"
///   }
/// }
/// ```
///
/// Decoding follows the path as ``NestedDecoder`` does. Encoding creates the objects along the path, which must consist
/// of names only; other paths throw `EncodingError.invalidValue`. Nested coding keys work with any decoder. They also
/// work with encoders that merge containers requested twice for the same key, such as those for JSON and property
/// lists.
///
/// The path of a nested coding key must start with a name. Write a key that contains dots as `['a.b']`. Each property's
/// path is followed from the start, so `decoder.nested()` is faster if many properties share a long prefix.
///
/// Nested coding keys rely on overloaded methods. If a property wrapper from another package adds its own overloads,
/// the calls become ambiguous; the wrappers in this module do not cause this problem.
public protocol NestedCodingKey: CodingKey, RawRepresentable where RawValue == String {}

extension NestedCodingKey {
  /// The first name in the path. A decoder's container uses this name to find the value from which the rest of the path
  /// is followed.
  public var stringValue: String {
    guard case .name(let name)? = path.compiled.prefixSteps.first else { return rawValue }
    return name.text
  }

  /// Always nil.
  public var intValue: Int? { nil }

  /// Creates the key whose raw value is exactly the given path.
  public init?(stringValue: String) { self.init(rawValue: stringValue) }

  /// Always nil.
  public init?(intValue: Int) { nil }

  /// The path that the key represents.
  public var path: JSONPath { JSONPath(KeyPathCache.shared.entry(for: rawValue).path) }
}
