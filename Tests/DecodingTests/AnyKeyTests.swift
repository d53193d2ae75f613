import Testing

@testable import Decoding

@Suite struct AnyKeyTests {
  @Test func `an index reads as its number`() {
    #expect(AnyKey(intValue: 7).stringValue == "7")
    #expect(AnyKey(stringValue: "7").intValue == nil)
  }
}
