public import Decoding
public import Foundation

/// An encoder that makes query items from an `Encodable` value, for the query of a URL or for a form.
///
/// ```swift
/// struct Filter: Encodable { var ids = [1, 2], since: Date?, author = ["name": "Emma"] }
/// try QueryEncoder().encode(Filter())                   // author[name]=Emma&ids=1&ids=2
/// try QueryEncoder(arrays: .brackets).encode(Filter())  // author[name]=Emma&ids[]=1&ids[]=2
/// ```
///
/// Pass the items to ``HTTPRequest/appendQuery(_:)`` or ``RequestBody/form(_:)``, or return them from
/// ``Endpoint/queryItems``. All of these percent-encode names and values, including brackets and commas.
///
/// Values are encoded as in JSON, with the options of ``encoder``. By default, dates are in ISO 8601, and the items are
/// sorted by name, so that equal values have equal URLs. Properties and elements that are nil are omitted.
public struct QueryEncoder: Sendable {
  /// How an array is encoded.
  public enum ArrayStyle: Sendable, Hashable {
    /// One item for each element: `ids=1&ids=2`.
    case repeated
    /// One item for each element, with brackets after the name: `ids[]=1&ids[]=2`.
    case brackets
    /// One item with all elements: `ids=1,2`.
    case commas
  }

  /// How the name of a property of a property is encoded.
  public enum NestingStyle: Sendable, Hashable {
    /// In brackets: `author[name]=Emma`.
    case brackets
    /// After a dot: `author.name=Emma`.
    case dots
  }

  /// How arrays are encoded.
  public var arrays: ArrayStyle
  /// How names within names are encoded.
  public var nesting: NestingStyle
  /// Whether booleans are encoded as `1` and `0` instead of `true` and `false`.
  public var usesNumericBooleans: Bool
  /// The encoder for the values, whose options determine the form of dates and data, and the form and order of names.
  public var encoder: JSONBytesEncoder

  /// Creates an encoder with the given styles.
  public init(
    arrays: ArrayStyle = .repeated, nesting: NestingStyle = .brackets, usesNumericBooleans: Bool = false
  ) {
    self.arrays = arrays
    self.nesting = nesting
    self.usesNumericBooleans = usesNumericBooleans
    encoder = JSONBytesEncoder()
    encoder.dateEncodingStrategy = .iso8601
    encoder.outputFormatting = .sortedKeys
  }

  /// Returns the query items of a value, as plain text.
  ///
  /// - Throws: `EncodingError` if the value is not encoded with keys, if an array contains an array or a value with
  ///   keys, or if an element contains a comma and ``arrays`` is ``ArrayStyle/commas``. Any error thrown while encoding
  ///   the value is rethrown.
  public func encode(_ value: some Encodable) throws -> [URLQueryItem] {
    let document = try JSONValue(encoding: value, by: encoder)
    guard case .object = document else { throw Self.error(value, "the value has no keys") }
    var items: [URLQueryItem] = []
    try append(document, named: "", to: &items)
    return items
  }

  private func append(_ value: JSONValue, named name: String, to items: inout [URLQueryItem]) throws {
    switch value {
    case .object(let members):
      for (key, member) in members {
        let nested = nesting == .dots ? "\(name).\(key)" : "\(name)[\(key)]"
        try append(member, named: name.isEmpty ? key : nested, to: &items)
      }
    case .array(let elements):
      let texts = try elements.compactMap { try text(of: $0, named: name) }
      guard arrays == .commas else {
        items += texts.map { URLQueryItem(name: arrays == .brackets ? "\(name)[]" : name, value: $0) }
        return
      }
      if texts.contains(where: { $0.utf8.contains(UInt8(ascii: ",")) }) {
        throw Self.error(value, "an element of \(name) contains a comma")
      }
      if !texts.isEmpty { items.append(URLQueryItem(name: name, value: texts.joined(separator: ","))) }
    case .null, .bool, .number, .string:
      if let text = try text(of: value, named: name) { items.append(URLQueryItem(name: name, value: text)) }
    }
  }

  private func text(of value: JSONValue, named name: String) throws -> String? {
    switch value {
    case .null: nil
    case .bool(let bool): usesNumericBooleans ? (bool ? "1" : "0") : "\(bool)"
    case .number(let number): number.text
    case .string(let text): text
    case .array, .object: throw Self.error(value, "the array \(name) contains a value that is not text")
    }
  }

  private static func error(_ value: Any, _ text: String) -> EncodingError {
    .invalidValue(value, EncodingError.Context(codingPath: [], debugDescription: text))
  }
}
