import Decoding
import Foundation
import Testing

/// What each coder keeps of a value: the cells of the table in the article `AnyJSON`.
@Suite struct JSONValueCoderTests {
  /// What is decoded and encoded by Foundation: the value in words of JSON; nil where it is refused.
  struct Row: Sendable, CustomTestStringConvertible {
    var text: String
    var decoded: String?
    var encoded: String?
    var propertyList: String?

    init(_ text: String, decoded: String?, encoded: String?, propertyList: String?) {
      (self.text, self.decoded, self.encoded, self.propertyList) = (text, decoded, encoded, propertyList)
    }

    init(kept text: String) { self.init(text, decoded: text, encoded: text, propertyList: text) }

    var testDescription: String { text }
  }

  static let rows = [
    Row(kept: "[null]"), Row(kept: "[true]"), Row(kept: #"["é😀\n"]"#), Row(kept: "[[],{}]"),
    Row(kept: "[-9223372036854775808]"), Row(kept: "[18446744073709551615]"), Row(kept: "[0.1]"), Row(kept: "[5e-324]"),
    // The spelling of numbers.
    Row("[1.0]", decoded: "[1]", encoded: "[1]", propertyList: "[1]"),
    Row("[1E2]", decoded: "[100]", encoded: "[100]", propertyList: "[100]"),
    // Up to 38 digits, and more.
    Row(
      "[18446744073709551616]", decoded: "[18446744073709551616]", encoded: "[18446744073709551616]",
      propertyList: "[1.8446744073709552e+19]"),
    Row(
      "[0.1234567890123456789012345678901234567]", decoded: "[0.1234567890123456789012345678901234567]",
      encoded: "[0.1234567890123456789012345678901234567]", propertyList: "[0.12345678901234568]"),
    Row(
      "[123456789012345678901234567890123456789012]", decoded: "[123456789012345678901234567890123456789000]",
      encoded: "[1.2345678901234568e+41]", propertyList: "[1.2345678901234568e+41]"),
    // Beyond a double.
    Row("[1e400]", decoded: nil, encoded: nil, propertyList: nil),
    Row("[1e-400]", decoded: "[0]", encoded: "[0]", propertyList: "[0]"),
    // Names that are canonically equivalent, and equal ones.
    Row("{\"\u{e9}\":1,\"e\u{301}\":2}", decoded: #"{"é":1}"#, encoded: #"{"é":1}"#, propertyList: #"{"é":1}"#),
  ]

  @Test(arguments: rows) func `our decoder preserves every JSON value`(row: Row) throws {
    #expect(try JSONBytesDecoder().decode(JSONValue.self, from: Data(row.text.utf8)).description == row.text)
  }

  @Test(arguments: rows) func `Foundation's decoder preserves what the table says`(row: Row) throws {
    let value = try? JSONDecoder().decode(JSONValue.self, from: Data(row.text.utf8))
    #expect(value == (try row.decoded.map { try JSONValue(parsing: $0) }))
  }

  @Test(arguments: rows) func `Foundation's encoder preserves what the table says`(row: Row) throws {
    let data = try? JSONEncoder().encode(JSONValue(parsing: row.text))
    #expect(
      try data.map { try JSONBytesDecoder().decode(JSONValue.self, from: $0) }
        == (try row.encoded.map { try JSONValue(parsing: $0) }))
  }

  @Test(arguments: rows, [PropertyListSerialization.PropertyListFormat.xml, .binary])
  func `property lists preserve what the table says`(row: Row, format: PropertyListSerialization.PropertyListFormat)
    throws
  {
    let encoder = PropertyListEncoder()
    encoder.outputFormat = format
    let data = try? encoder.encode(JSONValue(parsing: row.text))
    let value = try data.map { try PropertyListDecoder().decode(JSONValue.self, from: $0) }
    #expect(value == (try row.propertyList.map { try JSONValue(parsing: $0) }))
  }

  @Test func `our decoder keeps the order of members, and other decoders order them by name`() throws {
    let data = Data(#"{"b":1,"c":2,"a":3,"b":4}"#.utf8)
    #expect(try JSONBytesDecoder().decode(JSONValue.self, from: data).object?.names == ["b", "c", "a"])
    #expect(try JSONDecoder().decode(JSONValue.self, from: data).description == #"{"a":3,"b":1,"c":2}"#)
  }

  @Test func `the names in a JSON value are exempt from key strategies, like a dictionary's keys`() throws {
    let value: JSONValue = ["b_c": 1, "aB": [["c_d": 2]]]
    let encoder = JSONEncoder()
    encoder.keyEncodingStrategy = .convertToSnakeCase
    #expect(try JSONValue(parsing: String(decoding: encoder.encode(value), as: UTF8.self)) == value)
    let foundation = JSONDecoder()
    foundation.keyDecodingStrategy = .convertFromSnakeCase
    #expect(try foundation.decode(JSONValue.self, from: value.data) == value)
    #expect(try JSONBytesDecoder(like: foundation).decode(JSONValue.self, from: value.data) == value)
  }

  @Test func `values that JSON does not have are refused`() throws {
    for data in [try PropertyListEncoder().encode([Date()]), try PropertyListEncoder().encode([Data([1])])] {
      #expect(throws: DecodingError.self) { try PropertyListDecoder().decode(JSONValue.self, from: data) }
    }
    let infinite = try PropertyListEncoder().encode([Double.infinity])
    #expect(throws: DecodingError.self) { try PropertyListDecoder().decode(JSONValue.self, from: infinite) }
  }
}
