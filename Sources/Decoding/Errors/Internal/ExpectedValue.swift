internal import Foundation

/// A description of the expected value that contains nothing from a document.
///
/// It is the underlying error of a `DecodingError` of this module, which has no other property for it.
struct ExpectedValue: Error, CustomStringConvertible {
  let words: String

  init(_ words: String) { self.words = words }

  /// Lists the cases of an enumeration with raw values; nil for other types.
  init?(casesOf type: Any.Type) {
    guard let type = type as? any (CaseIterable & RawRepresentable).Type else { return nil }
    self.init(Self.rawValues(of: type))
  }

  private static func rawValues<T: CaseIterable & RawRepresentable>(of type: T.Type) -> String {
    let limit = 12
    let values = type.allCases.prefix(limit + 1).map { "\($0.rawValue)" }
    return "one of " + values.prefix(limit).joined(separator: ", ") + (values.count > limit ? ", …" : "")
  }

  /// Describes a number that fits a type, or for a type that contains numbers, such numbers.
  init(numberThatFits type: Any.Type) {
    self.init(type is any Numeric.Type ? "a number that fits \(type)" : "numbers that fit their types")
  }

  var description: String { "Expected \(words)." }
}

extension ExpectedValue {
  /// Derives the description from an error of the standard library or Foundation; nil for unknown texts, because they
  /// may contain values.
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
      self.init("a raw value of \(text[..<end].dropFirst("Cannot initialize ".count))")
    } else {
      return nil
    }
  }

  /// Describes the names that a dictionary's keys can be made of; nil if the error is not about a name.
  init?(nameIn context: DecodingError.Context) {
    let text = context.debugDescription
    if text.hasPrefix(Self.invalidName) {
      self.init("a name that \(text.dropFirst(Self.invalidName.count)) accepts")
    } else if text == "Expected Int key but found String key instead." {
      self.init("a name that Int accepts")
    } else {
      return nil
    }
  }

  /// The beginning of the standard library's text for a name that is not a key; the key's type follows.
  static let invalidName = "Could not convert key to type "

  /// The errors that Foundation's decoder reports about JSON without a location.
  static let anyScalar = ExpectedValue("numbers that fit their types and valid Unicode strings")

  private static let known = [
    "The given data was not valid JSON.": anyScalar.words,
    "Invalid URL string.": "a URL",
    "Attempted to decode UUID from invalid UUID string.": "a UUID",
    "Expected date string to be ISO8601-formatted.": "an ISO 8601 date",
    "Date string does not match format expected by formatter.": "a date in the decoder's format",
    "Encountered Data is not valid Base64.": "Base64 data",
    "Invalid TimeZone identifier.": "a time zone identifier",
  ]
}

extension Error {
  /// Whether this is the internal error of Foundation's decoder, which it throws for a number that does not fit and for
  /// an unpaired surrogate.
  var isFoundationsJSONError: Bool {
    ["FoundationEssentials.JSONError", "Foundation.JSONError"].contains(String(reflecting: Swift.type(of: self)))
  }
}
