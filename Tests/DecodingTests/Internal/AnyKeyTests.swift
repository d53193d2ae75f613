import Testing

@testable import Decoding

@Suite struct AnyKeyTests {
  @Test func `an index key prints as its number`() {
    #expect(AnyKey(intValue: 7).stringValue == "7")
    #expect(AnyKey(stringValue: "7").intValue == nil)
  }

  @Test func `coding keys are equal by kind and bytes`() {
    #expect(AnyKey(stringValue: "7") == AnyKey(stringValue: "7"))
    #expect(AnyKey(stringValue: "7") != AnyKey(intValue: 7))
    #expect(AnyKey(stringValue: "\u{e9}") != AnyKey(stringValue: "e\u{301}"))
  }

  @Test func `keys that differ only in their Unicode form have different hashes`() {
    #expect(AnyKey(stringValue: "\u{e9}").hashValue != AnyKey(stringValue: "e\u{301}").hashValue)
    #expect(Set([AnyKey(intValue: 1), AnyKey(intValue: 1), AnyKey(stringValue: "1")]).count == 2)
  }

  @Test func `a decoder stores a key without boxing it`() {
    // An existential holds three words in place.
    #expect(MemoryLayout<AnyKey>.size <= 3 * MemoryLayout<Int>.size)
  }
}
