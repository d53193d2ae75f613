import Decoding
import Foundation
import Testing

/// Names that are canonically equivalent are different names.
@Suite struct UnicodeFormTests {
  static let composed = "\u{E9}"
  static let decomposed = "e\u{301}"

  struct Composed: Codable, Equatable {
    var value: Int
    enum CodingKeys: String, NestedCodingKey { case value = "a.b\u{E9}" }
  }

  struct Decomposed: Codable, Equatable {
    var value: Int
    enum CodingKeys: String, NestedCodingKey { case value = "a.be\u{301}" }
  }

  @Test func `keys that are paths are not mixed up by another type's keys`() throws {
    let text = Data("{\"a\":{\"b\(Self.composed)\":1,\"b\(Self.decomposed)\":2}}".utf8)
    for _ in 0..<2 {
      #expect(try JSONBytesDecoder().decode(Composed.self, from: text).value == 1)
      #expect(try JSONBytesDecoder().decode(Decomposed.self, from: text).value == 2)
    }
    #expect(try bytes(Composed(value: 1)) == "{\"a\":{\"b\(Self.composed)\":1}}".utf8.map(\.self))
    #expect(try bytes(Decomposed(value: 1)) == "{\"a\":{\"b\(Self.decomposed)\":1}}".utf8.map(\.self))
  }

  func bytes(_ value: some Encodable, _ encoder: JSONBytesEncoder = JSONBytesEncoder()) throws -> [UInt8] {
    Array(try encoder.encode(value))
  }

  struct SnakeKey: CodingKey {
    var stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  struct Both: Codable, Equatable {
    var first: Int
    var second: Int

    static let keys = [composed, decomposed].map { SnakeKey(stringValue: "\($0)Name") }

    init() { (first, second) = (1, 2) }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: SnakeKey.self)
      first = try container.decode(Int.self, forKey: Self.keys[0])
      second = try container.decode(Int.self, forKey: Self.keys[1])
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: SnakeKey.self)
      try container.encode(first, forKey: Self.keys[0])
      try container.encode(second, forKey: Self.keys[1])
    }
  }

  @Test func `names in snake case keep their form`() throws {
    let encoder = JSONBytesEncoder()
    encoder.keyEncodingStrategy = .convertToSnakeCase
    let decoder = JSONBytesDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    let text = try encoder.encode(Both())
    #expect(Array(text) == "{\"\(Self.composed)_name\":1,\"\(Self.decomposed)_name\":2}".utf8.map(\.self))
    #expect(try decoder.decode(Both.self, from: text) == Both())
  }

  struct Empty: Codable, Equatable {}

  @Test func `both forms of an unknown member are preserved`() throws {
    let text = "{\"x\":1,\"\(Self.decomposed)\":2,\"\(Self.composed)\":[3]}"
    let kept = try JSONBytesDecoder().decode(KeepingUnknown<Empty>.self, from: Data(text.utf8))
    #expect(
      kept.projectedValue.names.map { Array($0.utf8) } == ["x", Self.decomposed, Self.composed].map { Array($0.utf8) })
    #expect(try bytes(kept) == Array(text.utf8))
    #expect(throws: LocatedDecodingError.self) {
      try JSONBytesDecoder().decode(RefusingUnknown<Empty>.self, from: Data(text.utf8))
    }
  }

  struct Accented: Codable, Equatable {
    var value: Int?
    enum CodingKeys: String, CodingKey { case value = "\u{E9}" }
  }

  @Test func `a member in the other form is unknown to this decoder and known to Foundation's`() throws {
    let text = Data("{\"\(Self.decomposed)\":2}".utf8)
    let ours = try JSONBytesDecoder().decode(KeepingUnknown<Accented>.self, from: text)
    #expect(ours.wrappedValue.value == nil && ours.projectedValue.count == 1)
    let theirs = try JSONDecoder().decode(KeepingUnknown<Accented>.self, from: text)
    #expect(theirs.wrappedValue.value == 2 && theirs.projectedValue.isEmpty)
  }
}
