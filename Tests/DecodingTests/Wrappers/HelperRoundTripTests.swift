import Decoding
import Foundation
import LarderTestSupport
import Testing

/// Whatever a strategy or wrapper decodes can be encoded, decodes again to an equal value, and has the same text again.
@Suite struct HelperRoundTripTests {
  struct Coder: Sendable, CustomStringConvertible {
    var description: String
    var decode: @Sendable (any Decodable.Type, Data) throws -> Any
    var encode: @Sendable (any Encodable) throws -> Data

    static let all = [plain(isFoundation: true), plain(isFoundation: false), snakeCase(isFoundation: false)]

    static func plain(isFoundation: Bool) -> Coder { make(isFoundation, JSONDecoder(), JSONEncoder(), "") }

    static func snakeCase(isFoundation: Bool) -> Coder {
      let (decoder, encoder) = (JSONDecoder(), JSONEncoder())
      decoder.keyDecodingStrategy = .convertFromSnakeCase
      encoder.keyEncodingStrategy = .convertToSnakeCase
      return make(isFoundation, decoder, encoder, " in snake case")
    }

    private static func make(
      _ isFoundation: Bool, _ decoder: JSONDecoder, _ encoder: JSONEncoder, _ suffix: String
    ) -> Coder {
      encoder.outputFormatting = .sortedKeys
      let (bytesDecoder, bytesEncoder) = (JSONBytesDecoder(like: decoder), JSONBytesEncoder(like: encoder))
      return isFoundation
        ? Coder(description: "Foundation\(suffix)") {
          try decoder.decode($0, from: $1)
        } encode: {
          try encoder.encode($0)
        }
        : Coder(description: "Decoding\(suffix)") {
          try bytesDecoder.decode($0, from: $1)
        } encode: {
          try bytesEncoder.encode($0)
        }
    }
  }

  /// A property with a wrapper, as in a type with a synthesized conformance.
  struct Holder<Wrapper: FieldWrapper & Codable & Equatable>: Codable, Equatable {
    var value: Wrapper
  }

  /// The same strategy at a path.
  struct Nested<Source: FieldStrategySource>: Codable, Equatable where Source.Value: Equatable {
    var value: Source.Value?

    init(from decoder: any Decoder) throws {
      value = try decoder.nested().decodeIfPresent(at: "value", as: Source.strategy)
    }

    func encode(to encoder: any Encoder) throws {
      let json = encoder.nested()
      try json.encode(1, at: "other")
      try json.encodeIfPresent(value, at: "value", as: Source.strategy)
    }
  }

  /// Decodes, encodes and decodes again. Returns what differs; nil for a document that is refused.
  func difference<T: Codable & Equatable>(_ type: T.Type, _ text: String, _ coder: Coder) throws -> String? {
    guard let first = try? coder.decode(type, Data(text.utf8)) as? T else { return nil }
    do {
      let once = try coder.encode(first)
      let again = try #require(try coder.decode(type, once) as? T)
      // A set has another order each time.
      let twice = T.self == Holder<LossySet<String>>.self ? once : try coder.encode(again)
      if again == first, once == twice { return "" }
      return "\(coder): \(text) became \([once, twice].map { String(decoding: $0, as: UTF8.self) })"
    } catch {
      return "\(coder): \(text) \(error)"
    }
  }

  func check<T: Codable & Equatable>(_ type: T.Type, count: Int = 150, _ make: (inout SplitMix) -> String) throws {
    var generator = SplitMix.printed(for: "\(type)")
    let differences = try (0..<count).flatMap { _ in
      let text = "{\"value\":\(make(&generator))}"
      return try Coder.all.compactMap { try difference(type, text, $0) }
    }
    #expect(!differences.isEmpty, "no document of \(type) was decoded")
    let failed = differences.filter { !$0.isEmpty }
    #expect(failed.isEmpty, "\(failed.count) of \(differences.count): \(failed.prefix(3))")
  }

  /// Checks a strategy as a required and an optional property, and at a path.
  func check<Source: FieldStrategySource>(
    _ source: Source.Type, count: Int = 150, _ make: (inout SplitMix) -> String
  ) throws where Source.Value: OptionalField & Equatable, Source.Value.FieldValue == Source.Value {
    try check(Holder<CodedBy<Source, Source.Value>>.self, count: count, make)
    try check(Holder<CodedBy<Source, Source.Value?>>.self, count: count, make)
    try check(Nested<Source>.self, count: count, make)
  }

  @Test func `ISO 8601 dates do not drift`() throws { try check(ISO8601Source.self, count: 600, Self.isoText) }

  @Test func `dates as numbers do not drift`() throws {
    try check(SecondsSince1970Source.self, Self.time)
    try check(MillisecondsSince1970Source.self, Self.time)
  }

  enum Day: FieldStrategySource { static let strategy = FieldStrategy<Date>.date(format: "yyyy-MM-dd") }
  enum Instant: FieldStrategySource {
    static let strategy = FieldStrategy<Date>.date(format: "yyyy-MM-dd'T'HH:mm:ss.SSSXXXXX")
  }

  @Test func `dates in a format do not drift`() throws {
    try check(Day.self) { "\"\(Self.day(&$0))\"" }
    try check(Instant.self) { Self.isoText(&$0) }
    // The first day that can be written, and an instant that an offset moves to the year before.
    let day = #"{"value":"0001-01-01"}"#, instant = #"{"value":"0001-01-01T07:38:59.0+14"}"#
    for coder in Coder.all {
      #expect(try difference(Holder<CodedBy<Day, Date>>.self, day, coder) == "")
      #expect(try difference(Holder<CodedBy<Instant, Date>>.self, instant, coder) == nil)
    }
  }

  enum Digits<Number: LosslessStringConvertible & Codable & Numeric & Sendable>: FieldStrategySource {
    static var strategy: FieldStrategy<Number> { .numberOrString }
  }
  enum Identifier: FieldStrategySource { static let strategy = FieldStrategy<String>.stringOrNumber }
  enum Flag: FieldStrategySource { static let strategy = FieldStrategy<Bool>.boolOrNumber }
  enum Joined: FieldStrategySource { static let strategy = FieldStrategy<String>.joined(separator: "/") }

  func checkNumber<Number>(_: Number.Type) throws
  where
    Number: LosslessStringConvertible & Codable & Numeric & Sendable & OptionalField & Equatable,
    Number.FieldValue == Number
  {
    try check(Digits<Number>.self, Self.scalar)
    try check(NumberInStringSource<Number>.self, Self.scalar)
  }

  @Test func `numbers in strings do not change`() throws {
    try checkNumber(Int.self)
    try checkNumber(Int8.self)
    try checkNumber(UInt64.self)
    try checkNumber(Int128.self)
    try checkNumber(Double.self)
    try checkNumber(Float.self)
  }

  @Test func `identifiers, booleans and joined strings do not change`() throws {
    try check(Identifier.self, Self.scalar)
    try check(Flag.self, Self.scalar)
    try check(JoinedStringSource.self) { Bool.random(using: &$0) ? Self.list(&$0) : Self.scalar(&$0) }
    try check(Joined.self) { Bool.random(using: &$0) ? Self.list(&$0) : Self.scalar(&$0) }
  }

  enum Role: String, Codable, CaseIterable { case admin = "a", composed = "\u{E9}", user = "1" }

  struct Known: Codable, Equatable, Hashable {
    var a: Int?
    var camelCase: String?
    var composed: Double?

    enum CodingKeys: String, CodingKey { case a, camelCase, composed = "\u{E9}" }
  }

  @Test func `other wrappers do not change their values`() throws {
    try check(Holder<Default<DefaultValue.Zero<Int>>>.self, Self.scalar)
    try check(Holder<Default<DefaultValue.EmptyArray<String>>>.self, Self.list)
    try check(Holder<LossyArray<Int>>.self, Self.list)
    try check(Holder<LossySet<String>>.self, Self.list)
    try check(Holder<LossyOptional<Double>>.self, Self.scalar)
    try check(Holder<LossyArray<OpenEnum<Role>>>.self, Self.list)
    try check(Holder<LossyDictionary<String, Float>>.self, Self.object)
    try check(Holder<LossyDictionary<Int, JSONValue>>.self, Self.object)
    try check(Holder<KeepingUnknown<Known>>.self, Self.object)
    try check(Holder<KeepingUnknown<Known?>>.self, Self.object)
    try check(Holder<RefusingUnknown<Known>>.self, Self.object)
    try check(Holder<LossyArray<KeepingUnknown<Known>>>.self) {
      "[\(Self.object(&$0)),\(Self.object(&$0))]"
    }
  }

  /// Wrappers at paths that share prefixes.
  struct Everything: Codable, Equatable {
    @ISO8601 var date: Date?
    @NumberInString var number: Int?
    @LossyArray var list: [Float]
    @Default<DefaultValue.Zero<UInt8>> var count: UInt8
    @KeepingUnknown var known: Known?
    @LossyOptional var maybe: Decimal?
    var role: OpenEnum<Role>?
    var raw: JSONValue?

    enum CodingKeys: String, NestedCodingKey {
      case date = "a.date", number = "a.number", list = "b.c.list", count = "b.c.count", known = "b.known"
      case maybe = "maybe", role = "a.role", raw = "b.c.raw"
    }
  }

  @Test func `wrappers at paths do not change their values`() throws {
    try check(Holder<LossyArray<Everything>>.self, count: 600) { generator in
      func object(_ members: [(String, (inout SplitMix) -> String)]) -> String {
        let present = members.filter { _ in Int.random(in: 0..<8, using: &generator) > 0 }
        return "{\(present.map { "\"\($0)\":\($1(&generator))" }.joined(separator: ","))}"
      }
      let c = object([("list", Self.list), ("count", Self.scalar), ("raw", Self.object)])
      let b = object([("c", { _ in c }), ("known", Self.object)])
      let a = object([("date", Self.isoText), ("number", Self.scalar), ("role", Self.scalar)])
      return "[\(object([("a", { _ in a }), ("b", { _ in b }), ("maybe", Self.scalar)]))]"
    }
  }

  // Texts, of which about half are valid.

  static func day(_ generator: inout SplitMix) -> String {
    func field(_ range: ClosedRange<Int>, _ width: Int) -> String {
      let text = "\(Int.random(in: range, using: &generator))"
      return String(repeating: "0", count: max(width - text.count, 0)) + text
    }
    let years = [0...2, 1580...1584, 1890...2110, 1999...2000, 9998...10001].randomElement(using: &generator)!
    return "\(field(years, 4))-\(field(1...12, 2))-\(field([1...31, 28...31].randomElement(using: &generator)!, 2))"
  }

  static func isoText(_ generator: inout SplitMix) -> String {
    func two(_ range: Range<Int>) -> String {
      let number = Int.random(in: range, using: &generator)
      return number < 10 ? "0\(number)" : "\(number)"
    }
    let day = day(&generator)
    let time = "\(two(0..<25)):\(two(0..<60)):\(two(0..<60))"
    let digits = (0..<Int.random(in: 0...9, using: &generator)).map { _ in
      String([0, 5, 9, Int.random(in: 0...9, using: &generator)].randomElement(using: &generator)!)
    }
    let fraction = digits.isEmpty ? "" : "." + digits.joined()
    let zone = ["Z", "Z", "+01:00", "-0330", "+14", ""].randomElement(using: &generator)!
    return "\"\(Int.random(in: 0..<20, using: &generator) == 0 ? day : day + "T" + time + fraction + zone)\""
  }

  static func time(_ generator: inout SplitMix) -> String {
    switch Int.random(in: 0..<3, using: &generator) {
    case 0: "\(Int.random(in: -4_000_000_000_000...4_000_000_000_000, using: &generator))"
    case 1: "\(Int.random(in: -5000...5000, using: &generator))"
    default: number(&generator)
    }
  }

  static func number(_ generator: inout SplitMix) -> String {
    let digits = (0...Int.random(in: 0..<22, using: &generator)).map { _ in Int.random(in: 0...9, using: &generator) }
    var text = digits.map { "\($0)" }.joined()
    if Bool.random(using: &generator) { text = "\(digits[0]).\(text)" }
    if Bool.random(using: &generator) {
      text += "e\([-400...400, -50...50, -3...3].randomElement(using: &generator)!.randomElement(using: &generator)!)"
    }
    return Bool.random(using: &generator) ? text : "-\(text)"
  }

  static let words = [
    "", "a", "é", "e\u{301}", "true", "1", "0", "-0", "1.0", "4.20", "nan", "inf", "1e400", "0x10", "+1", "007", "1e2",
    "100000000000000000001", "5e-324", "9007199254740993", "\\u0000", "/", ", ", "a_b", "camelCase", "camel_case", "_x",
  ]

  static func scalar(_ generator: inout SplitMix) -> String {
    switch Int.random(in: 0..<6, using: &generator) {
    case 0: ["true", "false", "null", "[]", "{}"].randomElement(using: &generator)!
    case 1: number(&generator)
    case 2: "\"\(number(&generator))\""
    case 3: "\(Int.random(in: -20...140, using: &generator))"
    case 4:
      ["0", "1", "1.0", "4.20", "100000000000000000001", "18446744073709551615"].randomElement(using: &generator)!
    default: "\"\(words.randomElement(using: &generator)!)\""
    }
  }

  static func list(_ generator: inout SplitMix) -> String {
    let strings = Bool.random(using: &generator)
    let elements = (0..<Int.random(in: 0..<4, using: &generator)).map { _ in
      strings ? "\"\(words.randomElement(using: &generator)!)\"" : scalar(&generator)
    }
    return "[\(elements.joined(separator: ","))]"
  }

  static func object(_ generator: inout SplitMix) -> String {
    let members = (0..<Int.random(in: 0..<6, using: &generator)).map { _ in
      "\"\(words.randomElement(using: &generator)!)\":\(scalar(&generator))"
    }
    return "{\(members.joined(separator: ","))}"
  }
}
