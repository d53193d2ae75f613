import Decoding
import Foundation
import LarderTestSupport
import Testing

/// The same text through Foundation's decoder and ours.
@Suite struct DecodingComparisonTests {
  struct Account: Decodable, Equatable {
    struct Limit: Decodable, Equatable { let byte: UInt8 }
    let id: Int
    let limits: [Limit]?
  }

  /// Both accept with the same value, or both refuse; then with the same case of `DecodingError` and the same path.
  func compare<T: Decodable & Equatable>(
    _ type: T.Type, _ json: String, from theirs: JSONDecoder = JSONDecoder(),
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let data = Data(json.utf8)
    let expected = Result { try theirs.decode(type, from: data) }
    let found = Result { try JSONBytesDecoder(like: theirs).decode(type, from: data) }
    switch (expected, found) {
    case (.success(let expected), .success(let found)):
      #expect(expected == found, "\(json)", sourceLocation: sourceLocation)
    case (.failure(let expected as DecodingError), .failure(let failure as LocatedDecodingError)):
      guard failure.kind != .malformed else { return }
      var found = (failure.underlyingError as? DecodingError).map(Summary.init)
      let expected = Summary(expected)
      // Foundation loses the path of a value that is of the right kind and yet does not do.
      if expected.label == "corrupted", expected.path.isEmpty { found?.path = [] }
      #expect(found == expected, "\(json)", sourceLocation: sourceLocation)
    default:
      Issue.record("\(json): \(expected) and \(found)", sourceLocation: sourceLocation)
    }
  }

  struct Summary: Equatable {
    var label: String
    var path: [String]

    init(_ error: DecodingError) {
      func names(_ context: DecodingError.Context) -> [String] { context.codingPath.map(\.stringValue) }
      switch error {
      case .keyNotFound(let key, let context): (label, path) = ("no \(key.stringValue)", names(context))
      case .valueNotFound(let type, let context): (label, path) = ("null for \(type)", names(context))
      case .typeMismatch(let type, let context): (label, path) = ("no \(type)", names(context))
      case .dataCorrupted(let context): (label, path) = ("corrupted", names(context))
      @unknown default: (label, path) = ("unknown", [])
      }
    }
  }

  @Test func `objects and their errors decode as in Foundation`() {
    for json in [
      #"{"id":1,"limits":[{"byte":1},{"byte":255}]}"#, #"{"id":1}"#, #"{"id":1,"limits":null}"#, #" { } "#,
      #"{"limits":[]}"#,
      #"{"id":null}"#, #"{"id":"1"}"#, #"{"id":true}"#, #"{"id":[]}"#, #"{"id":{}}"#, #"{"id":1,"limits":{}}"#,
      #"{"id":1,"limits":[{"byte":"q"}]}"#, #"{"id":1,"limits":[{}]}"#, #"{"id":1,"limits":[3]}"#, "[1]", "null", "7",
      #""text""#,
      #"{"id":1,"id":2}"#, #"{"\u0069d":7}"#, #"{"id":1,"more":{"a":[{}]}}"#,
      #"{"id":1,}"#.replacingOccurrences(of: ",}", with: "}"),
    ] {
      compare(Account.self, json)
    }
  }

  struct Raw<Value: Codable & Hashable & Sendable>: RawRepresentable, Decodable, Equatable { var rawValue: Value }

  @Test func `numbers near the limits of floating point decode as in Foundation`() {
    var generator = SplitMix.printed()
    func all<T: Codable & Hashable & Sendable>(_: T.Type, _ number: String) {
      compare(T.self, number)
      compare(T?.self, number)
      compare([T].self, "[1,\(number)]")
      compare([[T]].self, "[[\(number)]]")
      compare([[[T]]].self, "[[[\(number)]]]")
      compare([String: T].self, "{\"a\":\(number)}")
      compare([Raw<T>].self, "[\(number)]")
    }
    let zeros = [
      "5e-324", "-5e-324", "1e-400", "-1e-400", "0e-400", "0.0e9", "-0", "0.000e-999", "1e-99999999999999999999",
    ]
    for index in 0..<600 {
      let exponent = [-50 ... -36, 36...40, -330 ... -300, 305...310].randomElement(using: &generator) ?? 0...0
      // Not 0, which Foundation refuses with some exponents.
      let digits = (0...Int.random(in: 0...20, using: &generator)).map { _ in Int.random(in: 1...9, using: &generator) }
      let fraction = digits.map { "\($0)" }.joined()
      let number =
        index < zeros.count ? zeros[index] : "\(digits[0]).\(fraction)e\(Int.random(in: exponent, using: &generator))"
      all(Float.self, number)
      all(Double.self, number)
      #if !(os(macOS) && arch(x86_64))
      all(Float16.self, number)
      #endif
    }
  }

  @Test func `integers of every size decode as in Foundation`() {
    func all<T: FixedWidthInteger & Decodable>(_: T.Type) {
      for json in ["\(T.min)", "\(T.max)", "0", "-0", "7.0", "1e2", "1.5e1", "100e-2"]
      where T.min < 0 || !json.hasPrefix("-") {
        guard T.bitWidth < 64 || !json.contains("e") || json == "1e2" else { continue }
        compare([T].self, "[\(json)]")
        compare(T.self, json)
      }
    }
    all(Int8.self)
    all(Int16.self)
    all(Int32.self)
    all(Int64.self)
    all(Int.self)
    all(UInt8.self)
    all(UInt16.self)
    all(UInt32.self)
    all(UInt64.self)
    all(UInt.self)
    for json in ["9007199254740993", "-9223372036854775808", "9223372036854775807", "1.5", #""1""#, "true"] {
      compare(Int.self, json)
    }
    compare(UInt64.self, "18446744073709551615")
    compare([Int?].self, "[1,null,-3]")
    compare([String: Int].self, #"{"a":1,"b":-2,"a":3}"#)
  }

  @Test func `numbers that do not fit are refused with their path`() throws {
    for (json, path) in [("[300]", "$[0]"), ("[1,-1]", "$[1]"), ("[1.5]", "$[0]"), ("[1e400]", "$[0]")] {
      let failure = #expect(throws: LocatedDecodingError.self) {
        try JSONBytesDecoder().decode([UInt8].self, from: Data(json.utf8))
      }
      #expect(failure?.kind == .invalid)
      #expect(failure?.path.description == path)
      #expect(failure?.position != nil)
    }
  }

  @Test func `doubles and floats decode as in Foundation`() {
    for json in [
      "0.1", "-0.0", "1e22", "1e23", "123456789012345678", "1.7976931348623157e308", "5e-324",
      "2.2250738585072011e-308",
      "9007199254740992.5", "0.000001", "3.141592653589793238462643383279502884197", "1E5", "1e+2", "12", "8.5e22",
    ] {
      compare(Double.self, json)
      compare([Double].self, "[\(json),\(json)]")
    }
    for json in ["0.1", "16777217.0000001", "3.4e38", "1e-45", "1.17549435e-38", "0.3", "1e39"] {
      compare([Float].self, "[\(json)]")
    }
    compare([[Double]].self, "[[1,2],[],[3.5]]")
    compare([[[Double]]].self, "[[[1,2]],[],[[3.5],[]]]")
    compare([[Int]].self, "[[1,2],[],[3]]")
  }

  @Test func `strings decode as in Foundation`() {
    for json in [
      #""""#, #""a""#, #""é漢😀""#, #""\u00e9\ud83d\ude00\n\t\"\\\/\b\f\r""#, #""0123456789abcdef""#,
      #""0123456789abcde\u0000""#,
      #""\ud83d""#, #""\udc00\ud800""#, "\"a\u{1}\"", #""\x""#, #""abc"#,
    ] {
      compare(String.self, json)
      compare([String].self, "[\(json)]")
      compare([String: String].self, "{\(json):\(json)}")
    }
  }

  @Test func `Foundation's own types decode as in Foundation`() {
    compare([URL].self, #"["http://a.example/b?c=d"]"#)
    compare([URL].self, #"["http://[broken"]"#)
    compare(Data.self, #""aGVsbG8=""#)
    compare(Data.self, #""not base64!""#)
    compare([Decimal].self, "[1.10,12345678901234567890.123,-0.5,1e10]")
    compare(Decimal.self, #""1""#)
    compare(UUID.self, #""E621E1F8-C36C-495A-93FC-0C247A3E6E5F""#)
    compare([Date].self, "[1.5,0]")
    compare([Date?].self, "[null]")
    compare(Set<Int>.self, "[3,3]")
    compare([Int: String].self, #"{"1":"a"}"#)
    compare([String: [String: Bool]].self, #"{"a":{"b":true},"c":{}}"#)
  }

  @Test func `date strategies decode as in Foundation`() {
    let theirs = JSONDecoder()
    for strategy: JSONDecoder.DateDecodingStrategy in [
      .secondsSince1970, .millisecondsSince1970, .iso8601,
      .custom { decoder in Date(timeIntervalSince1970: try decoder.singleValueContainer().decode(Double.self) * 60) },
    ] {
      theirs.dateDecodingStrategy = strategy
      for json in ["[1234.5]", #"["2026-11-21T20:56:20Z"]"#, #"["yesterday"]"#, "[null]", "[true]"] {
        compare([Date].self, json, from: theirs)
      }
    }
  }

  @Test func `data and number strategies decode as in Foundation`() {
    let theirs = JSONDecoder()
    theirs.dataDecodingStrategy = .deferredToData
    compare(Data.self, "[104,105]", from: theirs)
    theirs.dataDecodingStrategy = .custom { Data(try $0.singleValueContainer().decode(String.self).utf8) }
    compare([Data].self, #"["hi"]"#, from: theirs)
    theirs.nonConformingFloatDecodingStrategy = .convertFromString(
      positiveInfinity: "+", negativeInfinity: "-", nan: "?")
    compare([Double].self, #"[1,"+","-"]"#, from: theirs)
    compare([Float].self, #"[1,"+","-"]"#, from: theirs)
    compare([String: Double].self, #"{"a":"+","b":1}"#, from: theirs)
    compare([Double].self, #"["x"]"#, from: theirs)
  }

  struct Camel: Decodable, Equatable {
    let firstName: String
    let inner: Inner?
    let table: [String: Int]?
    struct Inner: Decodable, Equatable { let deepValue: Int }
  }

  @Test func `key strategies decode as in Foundation`() {
    let theirs = JSONDecoder()
    theirs.keyDecodingStrategy = .convertFromSnakeCase
    for json in [
      #"{"first_name":"A"}"#, #"{"first_name":"A","inner":{"deep_value":3},"table":{"snake_key":1}}"#,
      #"{"firstName":"B"}"#,
      #"{"first_name":"A","firstName":"B"}"#, #"{"first\u005fname":"C"}"#, #"{"_first_name":"D"}"#,
      #"{"first__name":"E"}"#,
      #"{"first_name":"A","inner":{"deep_value":"x"}}"#,
    ] {
      compare(Camel.self, json, from: theirs)
    }
    theirs.keyDecodingStrategy = .custom { path in
      AnyValue.Key(stringValue: path[path.count - 1].stringValue.lowercased() == "fn" ? "firstName" : "inner")
    }
    compare(Camel.self, #"{"FN":"A"}"#, from: theirs)
  }
}
