import Decoding
import Foundation
import Testing

@Suite struct FieldStrategyTests {
  func decode<T>(_ value: String, as strategy: FieldStrategy<T>) throws -> T {
    try Probe.json("{\"a\": {\"v\": \(value)}}") { try $0.decode(at: "a.v", as: strategy) }
  }

  @Test(arguments: [
    (#""1970-01-01T00:00:10Z""#, 10.0), (#""1970-01-01T01:00:10+01:00""#, 10.0), (#""1970-01-01T00:00:10.500Z""#, 10.5),
    (#""1970-01-02""#, 86400.0),
  ])
  func `common ISO 8601 spellings are read as dates`(text: String, seconds: Double) throws {
    #expect(try decode(text, as: .iso8601).timeIntervalSince1970 == seconds)
  }

  @Test func `dates are read as numbers and by format`() throws {
    #expect(try decode("12.5", as: .secondsSince1970) == Date(timeIntervalSince1970: 12.5))
    #expect(try decode("12500", as: .millisecondsSince1970) == Date(timeIntervalSince1970: 12.5))
    #expect(try decode(#""02.01.1970""#, as: .date(format: "dd.MM.yyyy")) == Date(timeIntervalSince1970: 86400))
    let zone = try #require(TimeZone(secondsFromGMT: 3600))
    #expect(
      try decode(#""1970-01-02""#, as: .date(format: "yyyy-MM-dd", timeZone: zone))
        == Date(timeIntervalSince1970: 82800))
  }

  @Test func `numbers are read from strings, booleans from numbers and strings from numbers`() throws {
    #expect(try decode(#""312""#, as: FieldStrategy<Int>.numberOrString) == 312)
    #expect(try decode("312", as: FieldStrategy<Int>.numberOrString) == 312)
    #expect(try decode(#""1.5""#, as: FieldStrategy<Double>.numberOrString) == 1.5)
    for (text, bool) in [("true", true), ("0", false), ("1", true), (#""false""#, false), (#""1""#, true)] {
      #expect(try decode(text, as: .boolOrNumber) == bool)
    }
    for (text, string) in [
      (#""x""#, "x"), ("7", "7"), ("-7", "-7"), ("1.5", "1.5"), ("true", "true"),
      ("9223372036854775807", "9223372036854775807"),
      ("18446744073709551615", "18446744073709551615"), ("9007199254740993", "9007199254740993"),
    ] {
      #expect(try decode(text, as: .stringOrNumber) == string)
    }
    #expect(try decode(#"["a", "b"]"#, as: .joined()) == "a, b")
    #expect(try decode(#"["a", "b"]"#, as: .joined(separator: "/")) == "a/b")
    #expect(try decode(#""a""#, as: .joined()) == "a")
  }

  @Test func `a value that a strategy cannot read is invalid, with its path`() throws {
    func refuse<T>(_ value: String, _ strategy: FieldStrategy<T>, at path: JSONPath = "a.v") throws {
      let error = try #require(throws: DecodingError.self) { try decode(value, as: strategy) }
      let data = Data("{\"a\": {\"v\": \(value)}}".utf8)
      #expect(LocatedDecodingError(error, in: data).path == path, "\(value) \(error)")
    }
    try refuse(#""x""#, FieldStrategy<Int>.numberOrString)
    try refuse("[]", FieldStrategy<Int>.numberOrString)
    try refuse("null", FieldStrategy<Int>.numberOrString)
    try refuse(#""1970-13-01""#, .iso8601)
    for text in [
      "1970-01-01T00:00:01", "1970-01-01 ", "1970-01-01x", "1970-01-01T00:00:01Zx", "1970-01-01T00:00:01.5Z+",
    ] {
      try refuse("\"\(text)\"", .iso8601)
    }
    try refuse("7", .iso8601)
    try refuse(#""1970-01-01""#, .date(format: "dd.MM.yyyy"))
    try refuse(#""x""#, .secondsSince1970)
    try refuse("2", .boolOrNumber)
    try refuse(#""yes""#, .boolOrNumber)
    try refuse("{}", .stringOrNumber)
    try refuse("[7]", .joined(), at: "a.v[0]")
  }

  @Test(arguments: ["[7]", "{}"]) func `a value that is neither string nor number is reported as not a string`(
    value: String
  ) throws {
    let error = try #require(throws: DecodingError.self) { try decode(value, as: .stringOrNumber) }
    guard case .typeMismatch(let type, _) = error else { throw error }
    #expect(type is String.Type)
  }

  @Test func `a strategy can build on another one`() throws {
    let short = FieldStrategy<String> { String(try FieldStrategy.stringOrNumber.decode(from: $0).prefix(2)) }
    #expect(try decode("1234", as: short) == "12")
  }

  @Test func `missing and null fields are nil or the default`() throws {
    try Probe.json(#"{"n": null, "l": [{"d": 1}, {"d": 2}]}"#) { (json: NestedDecoder) throws in
      #expect(try json.decodeIfPresent(at: "n", as: .secondsSince1970) == nil)
      #expect(try json.decodeIfPresent(at: "x.y", as: .iso8601) == nil)
      #expect(try json.decode(at: "n", as: .numberOrString, default: 3) == 3)
      #expect(try json.decode(at: "l[1].d", as: .secondsSince1970) == Date(timeIntervalSince1970: 2))
      #expect(try json.decode(at: "l[?@.d > 1].d", as: .secondsSince1970) == Date(timeIntervalSince1970: 2))
      #expect(throws: DecodingError.self) { try json.decode(at: "x", as: .iso8601) }
      #expect(try json.decode(Int.self, at: "x.y", default: 4) == 4)
      #expect(try json.decode(at: "n", default: "d") == "d")
      #expect(throws: DecodingError.self) { try json.decode(Int.self, at: "l", default: 4) }
    }
  }

  @Test func `a custom field strategy reads its own format`() throws {
    let hexadecimal = FieldStrategy<Int> { Int(try $0.decode(String.self), radix: 16) ?? 0 }
    #expect(try decode(#""ff""#, as: hexadecimal) == 255)
  }
}
