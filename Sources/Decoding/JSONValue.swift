/// Any JSON value. Use it for documents, or parts of documents, whose structure is unknown at compile time.
///
/// ```swift
/// var movie: JSONValue = [
///   "title": "Emma", "year": 1996, "cast": ["Paltrow", .null],
/// ]
/// movie["year"] = 2020
/// let first = movie["cast"]?[0]?.string
/// ```
///
/// A `JSONValue` can be decoded by any decoder and encoded by any encoder, on its own or as a property of another type.
/// With ``JSONBytesDecoder``, nothing is lost: a ``JSONNumber`` preserves all of its digits, and a ``JSONObject``
/// preserves the order of its members. <doc:AnyJSON> describes what other decoders preserve. If several members of an
/// object have the same name, the first one is used.
///
/// Two values are equal if they have the same meaning. Numbers are compared by exact value: `1`, `1.0` and `1e0` are
/// equal, but 2⁵³ and 2⁵³ + 1 are not. Strings and names are compared by code point. Objects are compared regardless of
/// the order of their members.
///
/// Decoding from bytes, comparing, hashing, printing and deallocating a value do not recurse, so a deeply nested value
/// needs no more stack space than a flat one.
public enum JSONValue: Sendable {
  /// Null.
  case null
  /// A boolean.
  case bool(Bool)
  /// A number, with its digits preserved as written.
  case number(JSONNumber)
  /// A string.
  case string(String)
  /// An array.
  case array(JSONArray)
  /// An object.
  case object(JSONObject)
}

extension JSONValue {
  /// Creates an array with the given values.
  public static func array(_ elements: [JSONValue]) -> JSONValue { .array(JSONArray(elements)) }

  /// Creates an object with the members of a dictionary, sorted by name.
  public static func object(_ members: [String: JSONValue]) -> JSONValue { .object(JSONObject(members)) }

  /// Creates a number from an integer.
  public init(_ integer: some BinaryInteger) { self = .number(JSONNumber(integer)) }

  /// Creates a number from a double, or null if the double is infinite or NaN, which JSON cannot represent.
  public init(_ double: Double) { self = JSONNumber(double).map { .number($0) } ?? .null }
}

// There is no nil literal: `value[name] = isGone ? nil : other` would set null where it seems to remove the member.
extension JSONValue: ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
  ExpressibleByStringInterpolation, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  /// Creates a boolean.
  public init(booleanLiteral bool: Bool) { self = .bool(bool) }

  /// Creates a number.
  public init(integerLiteral integer: Int) { self.init(integer) }

  /// Creates a number.
  public init(floatLiteral double: Double) { self.init(double) }

  /// Creates a string.
  public init(stringLiteral string: String) { self = .string(string) }

  /// Creates an array.
  public init(arrayLiteral elements: JSONValue...) { self = .array(JSONArray(elements)) }

  /// Creates an object. If several members have the same name, the first one is used.
  public init(dictionaryLiteral members: (String, JSONValue)...) { self = .object(JSONObject(members)) }
}
