import Testing

@testable import Decoding

@Suite struct ExactNumberTests {
  func number(_ text: String) -> ExactNumber { ExactNumber(text.utf8) }

  @Test(arguments: [
    ("0", "-0"), ("0", "0.000e5"), ("1", "1.0"), ("1", "10e-1"), ("100", "1E2"), ("100", "1e+2"), ("0.001", "1e-3"),
    ("-12.50", "-1.25e1"), ("9007199254740993", "9007199254740993.0"), ("0.10", "1e-1"), ("120e-2", "1.2"),
    ("1e0000000000000000000000002", "100"),
  ])
  func `different spellings of a number are equal`(left: String, right: String) {
    #expect(number(left) == number(right))
    #expect(!(number(left) < number(right)) && !(number(right) < number(left)))
    #expect(number(left).hashValue == number(right).hashValue)
  }

  @Test func `exact numbers are ordered by value`() {
    let ordered = [
      "-1e400", "-1e99999999999999999999", "-100", "-99.5", "-1", "-0.5", "-1e-400", "0", "1e-99999999999999999999",
      "1e-400", "0.5",
      "0.51", "1", "1.5", "9", "10", "9007199254740992", "9007199254740993", "1e400", "1e99999999999999999999",
    ]
    let sorted = ordered.sorted { number($0) < number($1) }
    #expect(sorted.filter { !$0.hasPrefix("-1e") } == ordered.filter { !$0.hasPrefix("-1e") })
    #expect(number("-1e99999999999999999999") < number("-1e400"))
    #expect(number("-1e400") < number("-100"))
    #expect(number("-0.5") < number("-1e-400"))
    #expect(number("9007199254740992") != number("9007199254740993"))
  }

  @Test func `numbers of any length are compared in linear time`() {
    let digits = String(repeating: "9", count: 100_000)
    #expect(number(digits) == number(digits + ".0"))
    #expect(number(digits) < number("1" + digits))
    #expect(number("0." + String(repeating: "0", count: 100_000) + "1") < number("1e-99999"))
  }
}
