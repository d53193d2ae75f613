/// Coding keys whose raw values are paths, so that a type with a synthesized `Codable` conformance can access nested
/// values.
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
/// Decoding follows a path in the same way as ``NestedDecoder``. Encoding creates the objects along the path. A path
/// for encoding must consist of names only; encoding at any other path throws `EncodingError.invalidValue`. Nested
/// coding keys work with any decoder. They also work with every encoder that merges two containers requested for the
/// same key, such as the encoders for JSON and property lists.
///
/// If a member has different names in different documents, write all of them in brackets: `['title','name']` or
/// `info['title','name']`. The first one that is there, even as null, is decoded, and the first one is encoded. For a
/// member of the object itself this needs a ``JSONBytesDecoder``, and `contains(_:)` asks only for the first name.
///
/// The path of a nested coding key must start with a name. Outside of brackets, a name can consist of letters, digits
/// and any of `_ - @ $ :`, so that `status-code`, `@type`, `$ref` and `xml:lang` are names as in other coding keys.
/// Write a key that contains dots as `['a.b']`. To check all paths of a type in a test, call
/// ``checkPaths(forEncoding:)``. ``JSONBytesDecoder`` and ``JSONBytesEncoder`` follow a prefix that several paths
/// share once; other coders follow each path from the start.
///
/// Nested coding keys rely on overloads of the `decode` and `encode` methods of keyed containers. If another package
/// also adds such overloads for its property wrapper, calls that match overloads in both packages become ambiguous. The
/// wrappers in this module do not cause this problem.
public protocol NestedCodingKey: CodingKey, RawRepresentable where RawValue == String {}

extension NestedCodingKey {
  /// The first name in the path. A decoder's container uses it as the key of the value from which the rest of the path
  /// is followed.
  public var stringValue: String { entry.first.stringValue }

  /// Always nil.
  public var intValue: Int? { nil }

  /// Creates the key whose raw value is exactly the given path.
  public init?(stringValue: String) { self.init(rawValue: stringValue) }

  /// Always nil.
  public init?(intValue: Int) { nil }

  /// The path that the key represents.
  public var path: JSONPath { JSONPath(entry.path) }

  /// The names with which the path may begin, if its first brackets have several.
  var firstNames: [AnyKey] {
    entry.alternatives.compactMap { $0.prefixSteps.first.map(AnyKey.init) }
  }

  var entry: KeyPathCache.Entry { KeyPathCache.shared.entry(for: rawValue) }
}
