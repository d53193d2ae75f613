/// Coding keys whose raw values are paths, so that a synthesized `Codable` type reaches into nested values.
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
/// Decoding follows the path as ``NestedDecoder`` does. Encoding builds the objects along it, for paths of names alone;
/// others throw `EncodingError.invalidValue`. It works with any decoder, and with encoders that merge containers asked
/// for twice under one key, as those for JSON and property lists do.
///
/// A path starts with a name. A key that contains dots is written `['a.b']`. Each property walks its path anew: where
/// many of them share a long way, `decoder.nested()` is faster.
///
/// The methods behind this are chosen by overloading. A property wrapper of another package that has an overload of
/// its own is ambiguous with them; those of this module are not.
public protocol NestedCodingKey: CodingKey, RawRepresentable where RawValue == String {}

extension NestedCodingKey {
  /// The first name of the path, by which a decoder's container finds the value that the rest of the path leads into.
  public var stringValue: String {
    guard case .name(let name)? = path.compiled.prefixSteps.first else { return rawValue }
    return name.text
  }

  /// Nil.
  public var intValue: Int? { nil }

  /// The key with exactly that path.
  public init?(stringValue: String) { self.init(rawValue: stringValue) }

  /// Nil.
  public init?(intValue: Int) { nil }

  /// The path that the key stands for.
  public var path: JSONPath { JSONPath(KeyPathCache.shared.entry(for: rawValue).path) }
}
