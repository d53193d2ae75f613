import Foundation
import Testing

@testable import Decoding

@Suite struct JSONBytesDecoderTests {
  let decoder = JSONBytesDecoder()

  func decode<T: Decodable>(_ type: T.Type, _ json: String) throws(LocatedDecodingError) -> T {
    try decoder.decode(type, from: Data(json.utf8))
  }

  // Where Foundation is wrong.

  @Test func `zero may have an exponent`() throws {
    #expect(try decode([Double].self, "[0e1,0E5,0.00e5,-0e-1]") == [0, 0, 0, 0])
  }

  @Test func `an integer may be written with a decimal point`() throws {
    #expect(try decode(Int64.self, "9223372036854775807.0") == .max)
    #expect(try decode(Int.self, "9223372036854775807000e-3") == .max)
    #expect(try decode(UInt64.self, "18446744073709551615.000000000000000000000000000000") == .max)
    #expect(try decode(Int128.self, "-170141183460469231731687303715884105728") == .min)
    #expect(try decode(UInt128.self, "340282366920938463463374607431768211455") == .max)
  }

  @Test func `a number too small for its type is refused and not taken for zero`() {
    #expect(throws: LocatedDecodingError.self) { try decode(Double.self, "1e-400") }
    #expect(throws: LocatedDecodingError.self) { try decode(Float.self, "5e-324") }
  }

  @Test func `a number with a huge exponent does not decode as infinity`() {
    for json in ["1e309", "-1e309", "1e999999999999999999999"] {
      #expect(throws: LocatedDecodingError.self) { try decode(Double.self, json) }
    }
  }

  @Test func `a trailing comma and trailing content are refused`() {
    for json in ["[1,]", "[1] x", "[1]]"] {
      #expect(throws: LocatedDecodingError.self) { try decode([Int].self, json) }
      #expect(throws: LocatedDecodingError.self) { try decode(Ignored.self, json) }
    }
  }

  // Errors.

  struct Movie: Decodable, Equatable {
    let title: String
    let year: Int
  }

  @Test func `a decoding error reports path, line, column and offset`() {
    let json = "{\n  \"movies\": [\n    {\"title\": \"Fargo\", \"year\": \"1996\"}\n  ]\n}"
    let failure = #expect(throws: LocatedDecodingError.self) { try decode([String: [Movie]].self, json) }
    #expect(failure?.kind == .mismatch)
    #expect(failure?.path.description == "$['movies'][0]['year']")
    #expect(failure?.position == SourcePosition(offset: 47, line: 3, column: 32))
    #expect(failure?.expected == "Int")
    #expect(failure?.found == "a string")
  }

  @Test func `an error under a key strategy has the document's names`() {
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    struct Person: Decodable { let firstName: Int }
    let failure = #expect(throws: LocatedDecodingError.self) { try decode([Person].self, #"[{"first_name":"A"}]"#) }
    #expect(failure?.path.description == "$[0]['first_name']")
  }

  @Test func `the error for a missing key names its siblings`() {
    let failure = #expect(throws: LocatedDecodingError.self) {
      try decode(Movie.self, #"{"name":"Fargo","year":1996}"#)
    }
    #expect(failure?.kind == .missing)
    #expect(failure?.siblings == ["name", "year"])
  }

  @Test func `malformed input is reported with its position even if a type swallows the error`() {
    struct Careless: Decodable {
      init(from decoder: any Decoder) throws {
        let container = try? decoder.container(keyedBy: AnyValue.Key.self)
        _ = try? container?.decode(Int.self, forKey: AnyValue.Key(stringValue: "b"))
      }
    }
    let failure = #expect(throws: LocatedDecodingError.self) { try decode(Careless.self, #"{"a":1,"b":tru}"#) }
    #expect(failure?.kind == .malformed)
    #expect(failure?.position?.offset == 14)
  }

  @Test func `an error thrown by the decoded type is preserved`() {
    struct Refusal: Error, Equatable {}
    struct Refusing: Decodable {
      init(from decoder: any Decoder) throws { throw Refusal() }
    }
    let failure = #expect(throws: LocatedDecodingError.self) { try decode(Refusing.self, "{}") }
    #expect(failure?.kind == .custom)
    #expect(failure?.underlyingError is Refusal)
  }

  // Encodings.

  @Test func `UTF-16, UTF-32, a byte order mark and a data slice are decoded`() throws {
    let json = #"{"title":"Zażółć 😀","year":1}"#
    let expected = Movie(title: "Zażółć 😀", year: 1)
    for encoding: String.Encoding in [
      .utf8, .utf16, .utf16LittleEndian, .utf16BigEndian, .utf32, .utf32LittleEndian, .utf32BigEndian,
    ] {
      let data = try #require(json.data(using: encoding))
      #expect(try decoder.decode(Movie.self, from: data) == expected, "\(encoding)")
      #expect(try decoder.decode(Movie.self, from: Array(data)) == expected, "\(encoding)")
    }
    let marked = Data([0xEF, 0xBB, 0xBF]) + Data(json.utf8)
    #expect(try decoder.decode(Movie.self, from: marked) == expected)
    let slice = (Data("xx".utf8) + marked + Data("]]".utf8)).dropFirst(2).dropLast(2)
    #expect(try decoder.decode(Movie.self, from: slice) == expected)
  }

  @Test func `the string fallback for older systems decodes the same value`() {
    for text in ["", "a", "fünfzehn bytes?!", "漢字 and 😀"] {
      let bytes = Array(text.utf8)
      bytes.withUnsafeBytes { #expect(makeCheckedString(ByteView($0)) == makeString(ByteView($0), isASCII: false)) }
    }
  }

  @Test func `escapes are resolved anywhere in a document`() throws {
    for before in 0..<20 {
      for after in 0..<20 {
        let plain = (String(repeating: "x", count: before), String(repeating: "y", count: after))
        for (escape, text) in [(#"\/"#, "/"), (#"\""#, "\""), (#"\u00e9é"#, "éé"), (#"\ud83d\ude00\n"#, "😀\n")] {
          #expect(try decode(String.self, #""\#(plain.0)\#(escape)\#(plain.1)""#) == plain.0 + text + plain.1)
          // The closing quote and the last characters are the document's end, or have others behind them.
          #expect(
            try decode([String].self, #"["\#(plain.0)\#(escape)\#(plain.1)","z"]"#) == [plain.0 + text + plain.1, "z"])
        }
        #expect(throws: LocatedDecodingError.self) { try decode(String.self, "\"\(plain.0)\\n\u{1}\(plain.1)\"") }
        #expect(throws: LocatedDecodingError.self) { try decode(String.self, "\"\(plain.0)\\n\(plain.1)\\") }
      }
    }
  }

  // Options.

  @Test func `an option changed on a used decoder applies from the next call on`() throws {
    let decoder = JSONBytesDecoder()
    let json = Data(#"{"first_name":[[1]]}"#.utf8)
    struct Person: Decodable { let firstName: [[Int]] }
    for _ in 0..<2 {
      #expect(throws: LocatedDecodingError.self) { try decoder.decode(Person.self, from: json) }
      decoder.keyDecodingStrategy = .convertFromSnakeCase
      #expect(try decoder.decode(Person.self, from: json).firstName == [[1]])
      decoder.maximumDepth = 2
      #expect(throws: LocatedDecodingError.self) { try decoder.decode(Person.self, from: json) }
      decoder.maximumDepth = 3
      #expect(try decoder.decode(Person.self, from: json).firstName == [[1]])
      decoder.keyDecodingStrategy = .useDefaultKeys
    }
  }

  @Test func `an option may be changed during a decode`() throws {
    struct Changer: Decodable {
      let value: Date
      init(from decoder: any Decoder) throws {
        Self.decoder.dateDecodingStrategy = .secondsSince1970
        value = try decoder.singleValueContainer().decode(Date.self)
      }
      static let decoder = JSONBytesDecoder()
    }
    #expect(
      try Changer.decoder.decode([Changer].self, from: Data("[0]".utf8)).first?.value
        == Date(timeIntervalSinceReferenceDate: 0))
    #expect(
      try Changer.decoder.decode([Changer].self, from: Data("[0]".utf8)).first?.value == Date(timeIntervalSince1970: 0))
  }

  // Bad input.

  @Test func `a hundred thousand nested arrays exceed the limit without a crash`() {
    for text in ["[", "{\"a\":"] {
      let json = String(repeating: text, count: 100_000)
      for failure in [
        #expect(throws: LocatedDecodingError.self) { try decode(AnyValue.self, json) },
        #expect(throws: LocatedDecodingError.self) { try decode(Ignored.self, json) },
      ] {
        #expect(failure?.kind == .limit)
      }
    }
  }

  @Test func `the nesting limit is exact`() throws {
    func nested(_ depth: Int) -> String { String(repeating: "[", count: depth) + String(repeating: "]", count: depth) }
    decoder.maximumDepth = 20
    _ = try decode(AnyValue.self, nested(20))
    _ = try decode(Ignored.self, nested(20))
    #expect(throws: LocatedDecodingError.self) { try decode(AnyValue.self, nested(21)) }
    #expect(throws: LocatedDecodingError.self) { try decode(Ignored.self, nested(21)) }
  }

  @Test func `a key of a megabyte and a number of ten thousand digits are decoded`() throws {
    let key = String(repeating: "k", count: 1 << 20)
    #expect(try decode([String: Int].self, #"{"\#(key)":1}"#) == [key: 1])
    #expect(try decode([String: Int].self, #"{"\u006b\#(key.dropFirst())":1}"#) == [key: 1])
    let digits = String(repeating: "1", count: 10_000)
    #expect(try decode(Double.self, "0.\(digits)") == 1.0 / 9)
    #expect(try decode([Double].self, "[1\(String(repeating: "0", count: 10_000))e-10000]") == [1])
    #expect(throws: LocatedDecodingError.self) { try decode(Int.self, digits) }
    #expect(throws: LocatedDecodingError.self) { try decode(Double.self, digits) }
    #expect(try decode(Int.self, "1\(String(repeating: "0", count: 10_000))e-10000") == 1)
  }

  @Test func `many duplicate members need no memory and no quadratic time`() throws {
    func json(_ count: Int) -> String { "{" + String(repeating: #""a":1,"#, count: count) + #""b":2}"# }
    struct Pair: Decodable {
      let a: Int
      let b: Int
    }
    // In full with `Scripts/test --long`; quadratic time would not end with the short form either.
    let isLong = ProcessInfo.processInfo.environment["LARDER_LONG_TESTS"] != nil
    let many = json(isLong ? 2_000_000 : 200_000)
    #expect(try decode(Pair.self, many).b == 2)
    #expect(try JSONDocument(Data(many.utf8)).decode(Int.self, at: "b") == 2)
    #expect(try decode([String: Int].self, json(20_000)) == ["a": 1, "b": 2])
    #expect(try decode(AnyValue.self, json(20_000)) == .object(["a": .int(1), "b": .int(2)]))
  }

  @Test(arguments: [1, 2, 31, 32, 33, 34, 40, 64, 200], [1, 2, 3, 20, 33, 50])
  func `a duplicate member is listed once and has the first one's value`(count: Int, names: Int) throws {
    struct Members: Decodable, Equatable {
      var names: [String]
      var values: [String: Int] = [:]
      init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: AnyValue.Key.self)
        names = container.allKeys.map(\.stringValue).sorted()
        for name in names { values[name] = try container.decode(Int.self, forKey: AnyValue.Key(stringValue: name)) }
      }
    }
    // Each name is written plainly and with an escape in turn.
    let members = (0..<count).map { #""\#($0 % 2 == 0 ? "n" : "\\u006e")ame_\#($0 % names)":\#($0)"# }
    let data = Data("{\(members.joined(separator: ","))}".utf8)
    let foundation = JSONDecoder()
    for strategy in [JSONDecoder.KeyDecodingStrategy.useDefaultKeys, .convertFromSnakeCase] {
      foundation.keyDecodingStrategy = strategy
      let expected = try foundation.decode(Members.self, from: data)
      #expect(expected.names.count == min(count, names))
      #expect(try JSONBytesDecoder(like: foundation).decode(Members.self, from: data) == expected)
    }
  }

  @Test func `a type may take a decoding configuration`() throws {
    struct Scaled: DecodableWithConfiguration, Equatable {
      var value: Int
      init(from decoder: any Decoder, configuration factor: Int) throws {
        value = try decoder.singleValueContainer().decode(Int.self) * factor
      }
    }
    struct Twice: DecodingConfigurationProviding { static var decodingConfiguration: Int { 2 } }
    struct Pair: DecodableWithConfiguration, Equatable {
      var one: Scaled
      enum CodingKeys: CodingKey { case one }
      init(from decoder: any Decoder, configuration: Int) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        one = try container.decode(Scaled.self, forKey: .one, configuration: configuration)
      }
    }
    let five = Data("5".utf8)
    #expect(try decoder.decode(Scaled.self, from: five, configuration: 3).value == 15)
    #expect(try decoder.decode(Scaled.self, from: five, configuration: Twice.self).value == 10)
    let pair = Data(#"{"one":4}"#.utf8)
    #expect(
      try decoder.decode(Pair.self, from: pair, configuration: 3)
        == JSONDecoder().decode(Pair.self, from: pair, configuration: 3))
    let wrong = #expect(throws: LocatedDecodingError.self) {
      try decoder.decode(Pair.self, from: Data(#"{"one":"x"}"#.utf8), configuration: 3)
    }
    #expect(wrong?.path == "one")
    #expect(wrong?.kind == .mismatch)
    let behind = #expect(throws: LocatedDecodingError.self) {
      try decoder.decode(Scaled.self, from: Data("5 x".utf8), configuration: Twice.self)
    }
    #expect(behind?.kind == .malformed)
  }

  @Test func `many members are found by name in any order, escaped or not`() throws {
    struct Backwards: Decodable {
      var sum = 0
      init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: AnyValue.Key.self)
        #expect(!container.contains(AnyValue.Key(stringValue: "key")))
        for number in (0..<1000).reversed() {
          sum += try container.decode(Int.self, forKey: AnyValue.Key(stringValue: "key\(number)"))
        }
        #expect(container.allKeys.map(\.stringValue) == (0..<1000).map { "key\($0)" })
      }
    }
    for escaped in [false, true] {
      let members = (0..<1000).map { #""\#(escaped ? "\\u006bey" : "key")\#($0)":\#($0)"# }
      let json = "{" + (members + [#""key5":-1"#]).joined(separator: ",") + "}"
      #expect(try decode(Backwards.self, json).sum == 999 * 500)
    }
  }

  // Containers used in odd ways.

  @Test func `a container outlives its decode`() throws {
    final class Keeper: Decodable {
      let decoder: any Decoder
      let container: KeyedDecodingContainer<AnyValue.Key>
      init(from decoder: any Decoder) throws {
        self.decoder = decoder
        container = try decoder.container(keyedBy: AnyValue.Key.self)
      }
    }
    let keepers = try decode([Keeper].self, #"[{"title":"A","year":1},{"title":"B","year":2}]"#)
    for (index, keeper) in keepers.enumerated() {
      #expect(try Movie(from: keeper.decoder).year == index + 1)
      #expect(try keeper.container.decode(Int.self, forKey: AnyValue.Key(stringValue: "year")) == index + 1)
      #expect(keeper.container.allKeys.count == 2)
      #expect(throws: DecodingError.self) {
        try keeper.container.decode(Int.self, forKey: AnyValue.Key(stringValue: "title"))
      }
    }
  }

  @Test func `the parent's container can be used while a child is decoded`() throws {
    /// Hands the parent's container down; one thread uses it.
    final class Holder: @unchecked Sendable {
      var container: KeyedDecodingContainer<AnyValue.Key>?
    }
    struct Parent: Decodable {
      let child: Child
      let after: Int
      init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: AnyValue.Key.self)
        (decoder.userInfo[holderKey] as? Holder)?.container = container
        child = try container.decode(Child.self, forKey: AnyValue.Key(stringValue: "child"))
        after = try container.decode(Int.self, forKey: AnyValue.Key(stringValue: "k39"))
      }
    }
    struct Child: Decodable {
      let own: Int
      let uncles: Int
      init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: AnyValue.Key.self)
        let parent = (decoder.userInfo[holderKey] as? Holder)?.container
        var sum = 0
        for number in 0..<40 {
          sum += try parent?.decode(Int.self, forKey: AnyValue.Key(stringValue: "k\(number)")) ?? 0
        }
        uncles = sum
        own = try container.decode(Int.self, forKey: AnyValue.Key(stringValue: "own"))
      }
    }
    decoder.userInfo[holderKey] = Holder()
    let uncles = (0..<40).map { #""k\#($0)":\#($0)"# }.joined(separator: ",")
    let parents = try decode([Parent].self, #"[{"child":{"a":[],"own":5},\#(uncles)},{"child":{"own":6},\#(uncles)}]"#)
    #expect(parents.map(\.child.own) == [5, 6])
    #expect(parents.map(\.child.uncles) == [780, 780])
    #expect(parents.map(\.after) == [39, 39])
  }

  @Test func `nested containers and superclasses are decoded`() throws {
    struct Shape: Decodable, Equatable {
      var values: [Int] = []
      init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: AnyValue.Key.self)
        let nest = try container.nestedContainer(keyedBy: AnyValue.Key.self, forKey: AnyValue.Key(stringValue: "nest"))
        var list = try container.nestedUnkeyedContainer(forKey: AnyValue.Key(stringValue: "list"))
        #expect(list.count == 3)
        while !list.isAtEnd {
          if try list.decodeNil() { continue }
          let element = try list.nestedContainer(keyedBy: AnyValue.Key.self)
          values.append(try element.decode(Int.self, forKey: AnyValue.Key(stringValue: "own")))
        }
        values.append(try nest.decode(Int.self, forKey: AnyValue.Key(stringValue: "own")))
        values.append(try container.superDecoder().singleValueContainer().decode(Int.self))
        #expect(throws: DecodingError.self) { try list.decode(Int.self) }
      }
    }
    let json = #"{"super":9,"list":[{"own":1},null,{"q":[],"own":2}],"nest":{"own":3}}"#
    #expect(try decode(Shape.self, json).values == [1, 2, 3, 9])
    #expect(try JSONDecoder().decode(Shape.self, from: Data(json.utf8)).values == [1, 2, 3, 9])
  }

  @Test func `elements can be skipped after a failure`() throws {
    struct Numbers: Decodable {
      var values: [Int] = []
      init(from decoder: any Decoder) throws {
        var container = try decoder.unkeyedContainer()
        while !container.isAtEnd {
          if let value = try? container.decode(Int.self) {
            values.append(value)
          } else {
            _ = try container.decode(Ignored.self)
          }
        }
      }
    }
    #expect(try decode(Numbers.self, #"[1,"x",{"a":[1,2]},[],4]"#).values == [1, 4])
    #expect(throws: LocatedDecodingError.self) { try decode(Numbers.self, #"[1,"x",{"a":[1,2},4]"#) }
  }

  @Test func `many threads share a decoder`() async throws {
    let json = Data((0..<200).map { #"{"title":"\#($0)","year":\#($0)}"# }.joined(separator: ",").utf8)
    let list = Data("[".utf8) + json + Data("]".utf8)
    try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<16 {
        group.addTask { [decoder] in try decoder.decode([Movie].self, from: list).reduce(0) { $0 + $1.year } }
      }
      for try await sum in group { #expect(sum == 199 * 100) }
    }
  }

  @Test func `a decode inside a decode has its own state`() throws {
    struct Outer: Decodable {
      static let shared = JSONBytesDecoder()
      let inner: [Int]
      let text: String
      enum CodingKeys: CodingKey { case inner, text }
      init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        inner = try Self.shared.decode([Int].self, from: Data(try container.decode(String.self, forKey: .inner).utf8))
        text = try container.decode(String.self, forKey: .text)
      }
    }
    let outer = try Outer.shared.decode([Outer].self, from: Data(#"[{"inner":"[1,2]","text":"t"}]"#.utf8))
    #expect(outer.first?.inner == [1, 2])
    #expect(outer.first?.text == "t")
  }
}

private let holderKey = CodingUserInfoKey(rawValue: "holder").unsafelyUnwrapped
