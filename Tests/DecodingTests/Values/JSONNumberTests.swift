import Decoding
import Foundation
import Testing

@Suite struct JSONNumberTests {
  @Test(arguments: ["0", "-0", "12", "0.5", "1e5", "1E+5", "-1.25e-400", "1e99999999999999999999"])
  func `strings in JSON's number grammar are numbers and stay unchanged`(text: String) throws {
    #expect(JSONNumber(text)?.text == text)
    #expect(try JSONBytesDecoder().decode([JSONNumber].self, from: Data("[\(text)]".utf8)).map(\.text) == [text])
  }

  @Test(arguments: ["", "-", "01", "1.", ".5", "+1", "1e", "NaN", "inf", " 1", "1 ", "0x1", "1_000", "١"])
  func `strings outside JSON's number grammar are not numbers`(text: String) {
    #expect(JSONNumber(text) == nil)
  }

  @Test func `a JSON number converts to Swift's types exactly or not at all`() throws {
    func number(_ text: String) throws -> JSONNumber { try #require(JSONNumber(text)) }
    #expect(try number("12.0").int == 12 && number("1e3").int == 1000 && number("-7").int == -7)
    #expect(try number("1.5").int == nil && number("9223372036854775808").int == nil)
    #expect(try number("9223372036854775808").integer(as: UInt64.self) == 1 << 63)
    #expect(try number("-129").integer(as: Int8.self) == nil && number("-128").integer(as: Int8.self) == -128)
    #expect(try number("-1").integer(as: UInt8.self) == nil && number("-0").integer(as: UInt8.self) == 0)
    #expect(try number("-170141183460469231731687303715884105728").integer(as: Int128.self) == .min)
    #expect(try number("0.1").double == 0.1 && number("1e400").double == .infinity && number("1e-400").double == 0)
    #expect(try number("0.10").decimal == Decimal(string: "0.1") && number("1e400").decimal == nil)
    #expect(JSONNumber(Double.nan) == nil && JSONNumber(-Double.infinity) == nil && JSONNumber(Decimal.nan) == nil)
    #expect(JSONNumber(0.1)?.text == "0.1" && JSONNumber(1e22)?.double == 1e22 && JSONNumber(-2.0)?.text == "-2")
    #expect(JSONNumber(UInt64.max).text == "18446744073709551615" && JSONNumber(7) == 7)
  }

  static let beyondDecimals = [
    "1e-400", "-1e-400", "0.1e-200", "1e-140", "0." + String(repeating: "0", count: 200) + "1", "1e400",
    "1e-9223372036854775807",
  ]

  @Test(arguments: beyondDecimals)
  func `a number that does not fit into a decimal is nil and never 0`(text: String) throws {
    #expect(try #require(JSONNumber(text)).decimal == nil)
  }

  @Test(arguments: ["0e-400", "-0", "0.00", "0e400"]) func `zero is a decimal, however it is written`(text: String)
    throws
  {
    #expect(try #require(JSONNumber(text)).decimal == 0)
  }

  @Test func `JSON numbers are ordered by their exact values`() throws {
    let texts = ["-1e400", "-2", "-1.5", "-0.1", "0", "1e-400", "0.1", "9007199254740992", "9007199254740993", "1e400"]
    let numbers = try texts.map { try #require(JSONNumber($0)) }
    #expect(numbers.reversed().sorted() == numbers)
  }

  @Test func `decoding a number from any other value is refused with its location`() throws {
    let text = Data(#"{"a":[1,"2"]}"#.utf8)
    let failure = try #require(throws: LocatedDecodingError.self) {
      try JSONBytesDecoder().decode([String: [JSONNumber]].self, from: text)
    }
    #expect(failure.kind == .mismatch && failure.path == "a[1]")
    #expect(throws: DecodingError.self) { try JSONDecoder().decode([String: [JSONNumber]].self, from: text) }
    #expect(throws: LocatedDecodingError.self) {
      try JSONBytesDecoder().decode(JSONNumber.self, from: Data("null".utf8))
    }
  }
}
