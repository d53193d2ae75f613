/// Any JSON value: for documents, or parts of them, whose form is not known when the program is written.
///
/// ```swift
/// var movie: JSONValue = ["title": "Emma", "year": 1996, "cast": ["Paltrow", .null]]
/// movie["year"] = 2020
/// let first = movie["cast"]?[0]?.string
/// ```
///
/// It decodes with any decoder and encodes with any encoder, as a property too. With ``JSONBytesDecoder`` nothing is
/// lost: a number keeps all of its digits (``JSONNumber``), an object the order of its members (``JSONObject``). What
/// others keep is in <doc:AnyJSON>. Of members with the same name the first one counts.
///
/// Two values are equal when they mean the same: numbers by their exact value (`1`, `1.0` and `1e0` are equal, 2⁵³ and
/// 2⁵³ + 1 are not), strings and names by their code points, objects whatever the order of their members.
///
/// Decoding from bytes, comparing, hashing, printing and freeing need no stack for the depth of a value.
public enum JSONValue: Sendable {
  /// Null.
  case null
  /// True or false.
  case bool(Bool)
  /// A number, with the digits that it was written with.
  case number(JSONNumber)
  /// A string.
  case string(String)
  /// An array.
  case array(JSONArray)
  /// An object.
  case object(JSONObject)
}

extension JSONValue {
  /// An array of these values.
  public static func array(_ elements: [JSONValue]) -> JSONValue { .array(JSONArray(elements)) }

  /// An object with the members of a dictionary, by name.
  public static func object(_ members: [String: JSONValue]) -> JSONValue { .object(JSONObject(members)) }

  /// Makes a number of an integer.
  public init(_ integer: some BinaryInteger) { self = .number(JSONNumber(integer)) }

  /// Makes a number of a double; null where it is infinite or no number, which JSON has not.
  public init(_ double: Double) { self = JSONNumber(double).map { .number($0) } ?? .null }
}

// Not by nil: `value[name] = isGone ? nil : other` would set null where it seems to remove.
extension JSONValue: ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
  ExpressibleByStringInterpolation, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  /// True or false.
  public init(booleanLiteral bool: Bool) { self = .bool(bool) }

  /// A number.
  public init(integerLiteral integer: Int) { self.init(integer) }

  /// A number.
  public init(floatLiteral double: Double) { self.init(double) }

  /// A string.
  public init(stringLiteral string: String) { self = .string(string) }

  /// An array.
  public init(arrayLiteral elements: JSONValue...) { self = .array(JSONArray(elements)) }

  /// An object; of members with the same name the first one counts.
  public init(dictionaryLiteral members: (String, JSONValue)...) { self = .object(JSONObject(members)) }
}
