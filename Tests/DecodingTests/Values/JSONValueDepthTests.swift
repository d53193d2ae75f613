import Decoding
import Foundation
import Testing

/// As deep as a decoder's limit can be set, on the smallest stack.
@Suite(.timeLimit(.minutes(1))) struct JSONValueDepthTests {
  static let depth = 10_000
  static let arrays = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
  static let objects = String(repeating: #"{"a":"#, count: depth) + "1" + String(repeating: "}", count: depth)

  static var decoder: JSONBytesDecoder {
    let decoder = JSONBytesDecoder()
    decoder.maximumDepth = depth
    return decoder
  }

  @Test(arguments: [arrays, objects])
  func `decoding, comparing, hashing, printing, changing and releasing need no stack`(text: String) async throws {
    let isRight = try await onSmallStack {
      let data = Data(text.utf8)
      let first = try Self.decoder.decode(JSONValue.self, from: data)
      var second = try Self.decoder.decode(JSONValue.self, from: data)
      let raw = try Self.decoder.decode(RawJSON.self, from: data)
      let isEqual = first == second && first.hashValue == second.hashValue && first.description == text
      second = [second, second]
      second[0] = nil
      return isEqual && second == [first] && raw.data == data
    }
    #expect(isRight)
  }

  @Test func `releasing a value keeps an inner value that is still in use`() async throws {
    let kept = try await onSmallStack {
      let whole = try Self.decoder.decode(JSONValue.self, from: Data(Self.objects.utf8))
      return whole["a"]?["a"]
    }
    var value = try #require(kept)
    var count = 2
    while let inner = value["a"] { (value, count) = (inner, count + 1) }
    #expect(count == Self.depth && value == 1)
  }

  @Test func `a value one level beyond the limit is refused`() throws {
    let decoder = Self.decoder
    decoder.maximumDepth = 3
    #expect(try decoder.decode(JSONValue.self, from: Data(#"[{"a":[1]}]"#.utf8)) == [["a": [1]]])
    for text in ["[[[[]]]]", #"[{"a":[{}]}]"#] {
      let failure = #expect(throws: LocatedDecodingError.self) {
        try decoder.decode(JSONValue.self, from: Data(text.utf8))
      }
      #expect(failure?.kind == .limit)
      #expect(throws: LocatedDecodingError.self) { try decoder.decode(RawJSON.self, from: Data(text.utf8)) }
      #expect(throws: LocatedDecodingError.self) { try decoder.decode([[RawJSON]].self, from: Data(text.utf8)) }
      #expect(throws: LocatedDecodingError.self) { try decoder.decode([[JSONValue]].self, from: Data(text.utf8)) }
    }
  }

  @Test func `other coders accept a hundred levels and refuse more`() async throws {
    let outcome = try await onSmallStack {
      func nested(_ depth: Int) -> JSONValue { (0..<depth).reduce(1) { inner, _ in ["a": inner] } }
      let deep = nested(100)
      let isKept =
        try JSONDecoder().decode(JSONValue.self, from: JSONEncoder().encode(deep)) == deep
        && PropertyListDecoder().decode(JSONValue.self, from: PropertyListEncoder().encode(deep)) == deep
      let isEncoded = (try? JSONEncoder().encode(nested(101))) != nil
      let isDecoded = (try? JSONDecoder().decode(JSONValue.self, from: nested(101).data)) != nil
      return (isKept, isEncoded, isDecoded)
    }
    #expect(outcome == (true, false, false))
  }
}
