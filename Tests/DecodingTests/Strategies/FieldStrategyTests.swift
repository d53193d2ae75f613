import Decoding
import Foundation
import LarderTestSupport
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
      (#""x""#, "x"), ("7", "7"), ("-7", "-7"), ("true", "true"),
      ("9223372036854775807", "9223372036854775807"),
      ("18446744073709551615", "18446744073709551615"), ("9007199254740993", "9007199254740993"),
    ] {
      #expect(try decode(text, as: .stringOrNumber) == string)
    }
    #expect(try decode(#"["a", "b"]"#, as: .joined()) == "a, b")
    #expect(try decode(#"["a", "b"]"#, as: .joined(separator: "/")) == "a/b")
    #expect(try decode(#""a""#, as: .joined()) == "a")
  }

  struct Mixed: Codable, Equatable {
    @CodedBy<Identifier, String?> var id: String?
    @NumberInString var count: Int?
    @CodedBy<Digits<Double>, Double?> var ratio: Double?
    @MillisecondsSince1970 var time: Date?
  }

  enum Identifier: FieldStrategySource { static let strategy = FieldStrategy<String>.stringOrNumber }

  enum Digits<Number: LosslessStringConvertible & Codable & Numeric & Sendable>: FieldStrategySource {
    static var strategy: FieldStrategy<Number> { .numberOrString }
  }

  @Test(arguments: [
    ("1.5", nil), ("4.20", nil), ("7.0", "7"), ("100000000000000000001", nil), ("1e400", nil), ("-0", "0"),
    ("0.1000000000000000000001", nil),
  ]) func `an identifier has the digits of the document where the decoder has them`(
    digits: String, other: String?
  ) throws {
    let data = Data("{\"id\":\(digits)}".utf8)
    #expect(try JSONBytesDecoder().decode(Mixed.self, from: data).id == digits)
    let recording = try JSONBytesDecoder().decode(KeepingUnknown<Mixed>.self, from: data)
    #expect(recording.wrappedValue.id == digits && recording.projectedValue.isEmpty)
    let found = try? JSONDecoder().decode(Mixed.self, from: data).id
    #expect(found == other)
  }

  @Test(arguments: [
    "nan", "inf", "-inf", "infinity", "1e400", "0x10", "+1", "007", ".5", "5.", " 1", "1 ", "1_000", "1e", "--1", "",
  ]) func `a string that is not a number of JSON is not taken for one`(text: String) throws {
    #expect(throws: DecodingError.self) { try decode("\"\(text)\"", as: FieldStrategy<Double>.numberOrString) }
    #expect(throws: DecodingError.self) { try decode("\"\(text)\"", as: NumberInStringSource<Double>.strategy) }
    #expect(throws: DecodingError.self) { try decode("\"\(text)\"", as: FieldStrategy<Int>.numberOrString) }
  }

  @Test func `a number in a string is converted like a number`() throws {
    for text in ["1.0", "1e0", "10e-1", "1"] {
      #expect(try decode("\"\(text)\"", as: FieldStrategy<Int>.numberOrString) == 1)
      #expect(try decode("\"\(text)\"", as: NumberInStringSource<UInt8>.strategy) == 1)
    }
    for text in ["1.5", "300", "-1"] {
      #expect(throws: DecodingError.self) { try decode("\"\(text)\"", as: FieldStrategy<UInt8>.numberOrString) }
    }
    let decoder = JSONDecoder()
    decoder.nonConformingFloatDecodingStrategy = .convertFromString(
      positiveInfinity: "+", negativeInfinity: "-", nan: "?")
    let infinite = Data(#"{"ratio":"+"}"#.utf8)
    #expect(try decoder.decode(Mixed.self, from: infinite).ratio == .infinity)
    #expect(try JSONBytesDecoder(like: decoder).decode(Mixed.self, from: infinite).ratio == .infinity)
  }

  @Test func `an empty string in place of a number is nil where the value is optional`() throws {
    try Probe.json(#"{"v":""}"#) { (json: NestedDecoder) throws in
      #expect(try json.decodeIfPresent(at: "v", as: FieldStrategy<Int>.numberOrString) == nil)
      #expect(try json.decode(at: "v", as: .numberOrString, default: 3) == 3)
      #expect(throws: DecodingError.self) { try json.decode(at: "v", as: FieldStrategy<Int>.numberOrString) }
      #expect(try json.decodeIfPresent(at: "v", as: .stringOrNumber) == "")
    }
    for decoder in TestedDecoder.all {
      #expect(try decoder.decode(Mixed.self, #"{"count":"","ratio":""}"#).encoded == [:])
    }
  }

  @Test func `a value without an encoded form is reported with its path`() throws {
    struct Ratio: Encodable {
      @NumberInString var ratio: Double?
      @ISO8601 var date: Date?
    }
    for (ratio, name) in [
      (Ratio(ratio: .nan), "ratio"), (Ratio(date: Date(timeIntervalSince1970: -1e12)), "date"),
      (Ratio(date: Date(timeIntervalSince1970: .infinity)), "date"),
    ] {
      for encode in [JSONBytesEncoder().encode, JSONEncoder().encode] as [([Ratio]) throws -> Data] {
        let error = try #require(throws: EncodingError.self) { try encode([ratio]) }
        guard case .invalidValue(_, let context) = error else { throw error }
        #expect(context.codingPath.last?.stringValue == name && context.codingPath.count == 2)
      }
    }
  }

  @Test func `whole milliseconds stay whole`() throws {
    var generator = SplitMix.printed()
    for _ in 0..<2000 {
      let limit = [10_000, 4_000_000_000_000].randomElement(using: &generator) ?? 0
      let text = "{\"time\":\(Int.random(in: -limit...limit, using: &generator))}"
      let mixed = try JSONBytesDecoder().decode(Mixed.self, from: Data(text.utf8))
      #expect(String(decoding: try JSONBytesEncoder().encode(mixed), as: UTF8.self) == text)
    }
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
