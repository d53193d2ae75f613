import Decoding
import Foundation
import LarderTestSupport
import Testing

#if canImport(CoreGraphics)
import CoreGraphics
#endif

/// The same values through Foundation's encoder and ours.
@Suite struct EncodingComparisonTests {
  /// Both encode to the same document, sorted and indented, or both refuse with the same path.
  func compare(
    _ value: some Encodable, _ theirs: JSONEncoder = JSONEncoder(), sourceLocation: SourceLocation = #_sourceLocation
  ) {
    for formatting in [
      JSONEncoder.OutputFormatting.sortedKeys, [.sortedKeys, .prettyPrinted], [.sortedKeys, .withoutEscapingSlashes],
    ] {
      theirs.outputFormatting = formatting
      let expected = Outcome { try theirs.encode(value) }
      let found = Outcome { try JSONBytesEncoder(like: theirs).encode(value) }
      #expect(found == expected, sourceLocation: sourceLocation)
    }
    // Without sorting the order is ours.
    theirs.outputFormatting = []
    let found = Outcome { try JSONBytesEncoder(like: theirs).encode(value) }
    theirs.outputFormatting = [.sortedKeys]
    let expected = Outcome { try theirs.encode(value) }
    #expect(found.sorted == expected.sorted, "\(found)", sourceLocation: sourceLocation)
  }

  enum Outcome: Equatable {
    case text(String)
    case failure(String)

    init(_ body: () throws -> Data) {
      do {
        self = .text(String(decoding: try body(), as: UTF8.self))
      } catch EncodingError.invalidValue(let value, let context) {
        self = .failure("\(value) at \(context.codingPath.map { $0.intValue.map { "\($0)" } ?? $0.stringValue })")
      } catch {
        self = .failure("\(error)")
      }
    }

    var sorted: NSObject? {
      guard case .text(let text) = self else { return nil }
      return try? JSONSerialization.jsonObject(with: Data(text.utf8), options: .fragmentsAllowed) as? NSObject
    }
  }

  /// Encodes a number at each path, or in an array there, and requests the containers along the path again each time.
  struct Paths: Encodable {
    var paths: [[String]]
    var inArrays: Bool

    func encode(to encoder: any Encoder) throws {
      let root = encoder.container(keyedBy: AnyCodingKey.self)
      for (number, path) in paths.enumerated() {
        var object = root
        for name in path.dropLast() {
          object = object.nestedContainer(keyedBy: AnyCodingKey.self, forKey: AnyCodingKey(name))
        }
        let last = AnyCodingKey(path.last ?? "")
        guard inArrays else {
          try object.encode(number, forKey: last)
          continue
        }
        var array = object.nestedUnkeyedContainer(forKey: last)
        try array.encode(number)
      }
    }
  }

  struct AnyCodingKey: CodingKey {
    var stringValue: String
    var intValue: Int? { nil }
    init(_ name: String) { stringValue = name }
    init?(stringValue: String) { self.init(stringValue) }
    init?(intValue: Int) { nil }
  }

  @Test func `containers that are requested again at any depth go on as in Foundation`() {
    var generator = SplitMix.printed()
    let encoder = JSONEncoder()
    for round in 0..<500 {
      encoder.keyEncodingStrategy = round % 2 == 0 ? .useDefaultKeys : .convertToSnakeCase
      var paths: [[String]] = []
      for _ in 0..<Int.random(in: 1...12, using: &generator) {
        let path = (0...Int.random(in: 0...4, using: &generator)).map { _ in
          ["aB", "b", "c"].randomElement(using: &generator) ?? ""
        }
        // A value inside a number stops Foundation's encoder.
        if !paths.contains(where: { $0 != path && ($0.starts(with: path) || path.starts(with: $0)) }) {
          paths.append(path)
        }
      }
      compare([Paths(paths: paths, inArrays: false), Paths(paths: paths.reversed(), inArrays: true)], encoder)
    }
  }

  @Test func `decimals of any size encode as in Foundation`() throws {
    var generator = SplitMix.printed()
    var decimals: [Decimal] = [.greatestFiniteMagnitude, -.greatestFiniteMagnitude, .leastNonzeroMagnitude, 0, -1]
    for _ in 0..<2000 {
      let digits = (0..<Int.random(in: 1...39, using: &generator)).map { _ in
        [0, 0, Int.random(in: 0...9, using: &generator)].randomElement(using: &generator) ?? 0
      }
      let exponent =
        [-128...127, -40...40, -3...3].randomElement(using: &generator)?.randomElement(using: &generator) ?? 0
      let sign: FloatingPointSign = Bool.random(using: &generator) ? .minus : .plus
      let significand = try #require(Decimal(string: digits.map { "\($0)" }.joined()))
      let decimal = Decimal(sign: sign, exponent: exponent, significand: significand)
      if !decimal.isNaN { decimals.append(decimal) }
    }
    let expected = decimals.map(\.description)
    let found = try JSONBytesEncoder().encode(decimals)
    #expect("[\(expected.joined(separator: ","))]" == String(decoding: found, as: UTF8.self))
  }

  @Test func `scalars encode as in Foundation`() {
    compare(true)
    compare([Int.min, -10, -1, 0, 9, 10, 99, 100, .max])
    compare([UInt64.max, 10_000_000_000_000_000_000, 9_999_999_999_999_999_999])
    compare([Int128.min, .max])
    compare([UInt128.max])
    compare([Int8.min, .max])
    compare([UInt8.max])
    compare([Int16.min, .max])
    compare([UInt16.max])
    compare([Int32.min, .max])
    compare([UInt32.max])
    compare([Int64.min, .max])
    compare([UInt.max])
    compare([
      0, -0.0, 0.1, 1, 100, 1e5, 123456.5, 1e15, 1e16, 1e22, 1e-5, .leastNonzeroMagnitude, 1.7976931348623157e308,
    ])
    compare([Float(0.1), 16_777_216, .leastNonzeroMagnitude, 3.4e38, -0.0])
    compare(Int?.none)
    compare([Int?.none, 1])
    compare("text")
  }

  @Test func `strings with every escaped character encode as in Foundation`() {
    for length in 0..<40 {
      for text in [
        "\"", "\\", "/", "\u{0}", "\u{1F}", "\n", "\t", "\r", "\u{8}", "\u{C}", "\u{7F}", "é", "😀", "\u{2028}",
      ] {
        let around = String(repeating: "x", count: length)
        compare([text + around, around + text, around + text + around])
      }
    }
    compare(String(repeating: "a\u{1}", count: 5000))
    compare(NSString(string: "a/\u{1}é") as String)
  }

  @Test func `random strings encode as in Foundation`() {
    let seed = UInt64.random(in: 0 ... .max)
    var random = SplitMix(seed: seed)
    print("random texts: seed \(seed)")
    for _ in 0..<300 {
      var text = String.UnicodeScalarView()
      for _ in 0..<Int.random(in: 0..<60, using: &random) {
        let value = UInt32.random(in: 0..<(Bool.random(using: &random) ? 0x80 : 0x11_0000), using: &random)
        if let scalar = Unicode.Scalar(value) { text.append(scalar) }
      }
      compare([String(text): String(text)])
    }
  }

  @Test func `Foundation's own types encode as in Foundation`() {
    compare([URL(string: "http://a.example/b?c=d"), nil])
    compare([Decimal(string: "1.10"), Decimal(string: "12345678901234567890.123"), -0.5, 1e10])
    compare([Data(), Data([255, 254, 253, 0]), Data(repeating: 7, count: 100)])
    compare(UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F"))
    compare([Date(timeIntervalSinceReferenceDate: 1.5), Date(timeIntervalSince1970: 0)])
    compare(Set([3]))
    compare([1: "a"])
    compare(["a": ["b": true], "c": [:]])
    compare([[Int](), [1]])
    compare([[[Double]]]())
    compare(["é": 1, "e\u{301}x": 2, "f": 3, "\u{FFFF}": 4, "😀": 5, "A": 6, "a\"": 7, "a": 8, "": 9])
    compare(URLComponents(string: "http://a.example:80/b"))
    compare(DateComponents(year: 2026, month: 11))
    compare(Locale(identifier: "de_AT").identifier)
    compare(CGPoint(x: 1, y: 2))
    compare(Measurement(value: 1.5, unit: UnitLength.meters))
    compare(IndexSet([1, 2, 5]))
    compare(1..<3)
  }

  @Test func `date, data and number strategies encode as in Foundation`() {
    let theirs = JSONEncoder()
    let dates = ["d": [Date(timeIntervalSince1970: 1_234.5), Date(timeIntervalSince1970: -1e9)]]
    for strategy: JSONEncoder.DateEncodingStrategy in [
      .secondsSince1970, .millisecondsSince1970, .iso8601,
      .custom { date, encoder in try "\(date.timeIntervalSince1970)".encode(to: encoder) },
      .custom { date, encoder in
        var container = encoder.container(keyedBy: Name.self)
        try container.encode(date.timeIntervalSince1970, forKey: "n")
      },
      .custom { _, _ in }, .custom { _, _ in throw CancellationError() },
    ] {
      theirs.dateEncodingStrategy = strategy
      compare(dates, theirs)
    }
    for strategy: JSONEncoder.DataEncodingStrategy in [
      .deferredToData, .custom { data, encoder in try data.count.encode(to: encoder) }, .custom { _, _ in },
    ] {
      theirs.dataEncodingStrategy = strategy
      compare(["d": Data([1, 2, 3])], theirs)
    }
    for number in [Double.infinity, -.infinity, .nan] {
      compare(["a": [number]])
      compare([Float(number)])
      compare(Pair(first: 1, second: number))
    }
    theirs.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "+\"", negativeInfinity: "-", nan: "?")
    compare(["a": [Double.infinity, -.infinity, .nan, 1]], theirs)
    compare([Float.infinity, -.infinity, .nan, 1], theirs)
  }

  struct Pair: Encodable {
    var first: Int?
    let second: Double
  }

  struct Name: CodingKey, ExpressibleByStringLiteral {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
    init(stringLiteral value: String) { stringValue = value }
  }

  struct Camel: Encodable {
    let myURLProperty = 1
    let inner = ["snakeCase": Inner()]
    let list = [Inner()]
    let numbers = [1: 2]
    struct Inner: Encodable { let deepValue = 3 }
  }

  @Test func `key strategies encode as in Foundation`() {
    let theirs = JSONEncoder()
    theirs.keyEncodingStrategy = .convertToSnakeCase
    compare(Camel(), theirs)
    theirs.keyEncodingStrategy = .custom { path in
      // Foundation loses what is before a dictionary.
      Name(stringValue: path.suffix(2).map { $0.intValue.map { "\($0)" } ?? $0.stringValue }.joined(separator: "/"))
    }
    compare(Camel(), theirs)
  }

  /// Encodes one member of each name.
  struct Names: Encodable {
    let names: [String]

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: Name.self)
      for (index, name) in names.enumerated() { try container.encode(index, forKey: Name(stringValue: name)) }
    }
  }

  @Test func `random names are converted to snake case as in Foundation`() {
    let seed = UInt64.random(in: 0 ... .max)
    var random = SplitMix(seed: seed)
    print("random names in snake case: seed \(seed)")
    let theirs = JSONEncoder()
    theirs.keyEncodingStrategy = .convertToSnakeCase
    for name in ["", "a", "A", "aB", "AB", "ABc", "aBC", "aBCd", "a1B", "URL2b", "_aB", "éÉa", "ǅa"] {
      compare(Names(names: [name]), theirs)
    }
    for _ in 0..<2000 {
      let name = String(
        (0..<Int.random(in: 1..<9, using: &random)).map { _ in "aBcD1_éÉ".randomElement(using: &random)! })
      compare(Names(names: [name]), theirs)
    }
  }

  @Test(arguments: [1, 10, 23, 24, 25, 26, 100, 1000]) func `a member that is encoded twice is written once`(count: Int)
  {
    let names = (0..<count).map { "name \($0)" }
    compare(Names(names: names))
    compare(Names(names: names + [names[count / 2]]))
    compare(Names(names: names + names))
    compare([Names(names: names), Names(names: names.reversed() + ["more"])])
    compare(["\u{E9}": Names(names: ["e\u{301}", "\u{E9}x", "\\", "\"", "\"", "\\"])])
  }

  @Test func `a value that encodes nothing is an empty object inside another value`() {
    struct Nothing: Encodable { func encode(to encoder: any Encoder) {} }
    compare(Nothing())
    compare([Nothing()])
    compare(["a": Nothing()])
    compare([Nothing?.some(Nothing()), nil])
  }

  class Base: Encodable { let name = "base" }

  final class Derived: Base {
    enum Keys: CodingKey { case extra, other }
    let inOwnObject: Bool

    init(inOwnObject: Bool) {
      self.inOwnObject = inOwnObject
      super.init()
    }

    required init(from decoder: any Decoder) { fatalError("not decoded") }

    override func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: Keys.self)
      try container.encode(1, forKey: .extra)
      try super.encode(to: inOwnObject ? container.superEncoder() : encoder)
      try container.encode(2, forKey: .other)
    }
  }

  @Test func `subclasses encode into their superclass's object or next to it`() {
    compare(Derived(inOwnObject: true))
    compare([Derived(inOwnObject: false), Derived(inOwnObject: true)])
  }
}
