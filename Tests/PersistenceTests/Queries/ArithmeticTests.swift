import Testing

@testable import Persistence

@Suite struct ArithmeticTests {
  @Test func `a remainder of an integer by a floating-point number keeps the integer's digits`() {
    let remainder = Persistence.QueryExpression.Arithmetic.remainder
    let rest = remainder(.integer(.max - 1), .real(0x1p63))
    #expect(rest == .real(Double(Int64.max - 1)))
    #expect(remainder(.real(7.9), .real(4.9)) == .real(3))
    #expect(remainder(.integer(7), .real(0.5)) == .null)
    #expect(remainder(.integer(.min), .integer(-1)) == .integer(0))
  }
}
