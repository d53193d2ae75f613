internal import Foundation

/// What a value should have been, in words that hold nothing of a document.
///
/// It is the underlying error of a `DecodingError` of this module, which has no other place for it.
struct ExpectedValue: Error, CustomStringConvertible {
  let words: String

  init(_ words: String) { self.words = words }

  /// The cases of an enumeration with raw values; nil for other types.
  init?(casesOf type: Any.Type) {
    guard let type = type as? any (CaseIterable & RawRepresentable).Type else { return nil }
    self.init(Self.rawValues(of: type))
  }

  private static func rawValues<T: CaseIterable & RawRepresentable>(of type: T.Type) -> String {
    let limit = 12
    let values = type.allCases.prefix(limit + 1).map { "\($0.rawValue)" }
    return "one of " + values.prefix(limit).joined(separator: ", ") + (values.count > limit ? ", …" : "")
  }

  /// A number that fits a type; for a type that holds numbers, such numbers.
  init(numberThatFits type: Any.Type) {
    self.init(type is any Numeric.Type ? "a number that fits \(type)" : "numbers that fit their types")
  }

  var description: String { "Expected \(words)." }
}

extension ExpectedValue {
  /// What the standard library's and Foundation's errors say of it; nil for texts that are not known, as they may hold
  /// values.
  init?(_ context: DecodingError.Context) {
    if let expected = context.underlyingError as? ExpectedValue {
      self = expected
      return
    }
    let text = context.debugDescription
    if let words = Self.known[text] {
      self.init(words)
    } else if text.hasPrefix("Parsed JSON number <"), let start = text.range(of: "> does not fit in ")?.upperBound {
      self.init("a number that fits \(text[start...].dropLast())")
    } else if text.hasPrefix("Cannot initialize "), let end = text.range(of: " from invalid ")?.lowerBound {
      self.init("a value of \(text[..<end].dropFirst("Cannot initialize ".count))")
    } else {
      return nil
    }
  }

  /// What Foundation's decoder finds wrong with JSON, without a place.
  static let anyScalar = ExpectedValue("numbers that fit their types, and texts of whole characters")

  private static let known = [
    "The given data was not valid JSON.": anyScalar.words,
    "Invalid URL string.": "a URL",
    "Attempted to decode UUID from invalid UUID string.": "a UUID",
    "Expected date string to be ISO8601-formatted.": "a date in ISO 8601",
    "Date string does not match format expected by formatter.": "a date in the format of the decoder",
    "Encountered Data is not valid Base64.": "data in Base64",
    "Invalid TimeZone identifier.": "the identifier of a time zone",
  ]
}

extension Error {
  /// Whether it is the error that Foundation's decoder has of its own, and lets out for a number that does not fit and
  /// for half of a surrogate pair.
  var isFoundationsJSONError: Bool {
    ["FoundationEssentials.JSONError", "Foundation.JSONError"].contains(String(reflecting: Swift.type(of: self)))
  }
}
