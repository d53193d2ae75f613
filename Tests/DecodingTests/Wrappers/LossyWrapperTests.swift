import Decoding
import Foundation
import Testing

@Suite struct LossyWrapperTests {
  struct Lossies: Codable, Equatable {
    @LossyDictionary var ranks: [Int: String]
    @LossyDictionary var prices: [String: Double]
    @LossySet var tags: Set<String>
    @LossyOptional var rating: Double?
    @LossyOptional var link: URL?
  }

  @Test(arguments: TestedDecoder.all) func `a lossy wrapper drops and reports undecodable elements`(
    decoder: TestedDecoder
  )
    throws
  {
    let lossies = try decoder.decode(
      Lossies.self,
      #"{"ranks":{"2":"b","1":"a","x":"c","3":4},"prices":{"a":1,"b":"c"},"tags":["a","b","a",1,null],"rating":{"a":1},"link":"l"}"#
    )
    #expect(lossies.ranks == [1: "a", 2: "b"] && lossies.prices == ["a": 1] && lossies.tags == ["a", "b"])
    #expect(lossies.rating == nil && lossies.link == URL(string: "l"))
    #expect(lossies.$ranks.map(\.path) == ["ranks['3']", "ranks.x"] && lossies.$prices.map(\.path) == ["prices.b"])
    #expect(lossies.$tags.map(\.index) == [3, 4] && lossies.$rating?.path == "rating" && lossies.$link == nil)
    #expect(
      try lossies.encoded["ranks"] == ["1": "a", "2": "b"] && lossies.encoded["rating"] == nil
        && lossies.encoded["tags"]?.array?.count == 2)
    let again = try decoder.decode(Lossies.self, lossies.encoded.description)
    #expect(again == lossies && again.$tags.isEmpty)
  }

  struct Defaults: Codable, Equatable {
    @LossyDefault<DefaultValue.Zero> var votes: Int
    @LossyDefault<DefaultValue.EmptyArray> var tags: [String]
    @Default<DefaultValue.Zero> var count: Int
  }

  @Test(arguments: TestedDecoder.all) func `a default replaces an invalid value, which is reported, only on request`(
    decoder: TestedDecoder
  ) throws {
    let invalid = try decoder.decode(Defaults.self, #"{"votes":"many","tags":["a",1]}"#)
    #expect(invalid.votes == 0 && invalid.tags.isEmpty)
    #expect(invalid.$votes?.path == "votes" && invalid.$votes?.failure.kind == .mismatch)
    #expect(invalid.$tags?.failure.path == "tags[1]")
    for text in ["{}", #"{"votes":null,"tags":null}"#] {
      let absent = try decoder.decode(Defaults.self, text)
      #expect(absent == invalid && absent.$votes == nil && absent.$tags == nil)
    }
    #expect(try invalid.encoded == ["votes": 0, "tags": [], "count": 0])
    let valid = try decoder.decode(Defaults.self, #"{"votes":2,"tags":["a"]}"#)
    #expect(valid.votes == 2 && valid.tags == ["a"] && valid != invalid)
    #expect(throws: (any Error).self) { try decoder.decode(Defaults.self, #"{"count":"many"}"#) }
    #expect(throws: (any Error).self) { try decoder.decode(Defaults.self, #"{"votes":tru}"#) }
  }

  @Test(arguments: TestedDecoder.all) func `an empty array is an empty lossy dictionary, as PHP writes one`(
    decoder: TestedDecoder
  ) throws {
    let lossies = try decoder.decode(Lossies.self, #"{"ranks":[],"prices":[ ],"tags":[]}"#)
    #expect(lossies.ranks.isEmpty && lossies.prices.isEmpty && lossies.$ranks.isEmpty)
    #expect(try lossies.encoded["ranks"] == [:])
    for text in [#"{"ranks":[1]}"#, #"{"ranks":["a"],"prices":[]}"#, #"{"ranks":""}"#, #"{"ranks":[}"#] {
      #expect(throws: (any Error).self) { try decoder.decode(Lossies.self, text) }
    }
  }

  enum Color: String, CodingKeyRepresentable, Codable { case darkRed, lightBlue }

  struct Named: Codable, Equatable {
    @LossyDictionary var byName: [String: Int]
    @LossyDictionary var byColor: [Color: Int]
  }

  @Test func `the names of a lossy dictionary are exempt from key strategies`() throws {
    let encoder = JSONEncoder()
    encoder.keyEncodingStrategy = .convertToSnakeCase
    encoder.outputFormatting = .sortedKeys
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    let text = #"{"by_color":{"darkRed":1,"dark_red":2,"lightBlue":{}},"by_name":{"a_b":1,"aB":2,"c_d":"x"}}"#
    for decode in [
      { try JSONBytesDecoder(like: decoder).decode(Named.self, from: $0) },
      { try decoder.decode(Named.self, from: $0) },
    ] as [(Data) throws -> Named] {
      let named = try decode(Data(text.utf8))
      #expect(named.byName == ["a_b": 1, "aB": 2] && named.byColor == [.darkRed: 1])
      #expect(named.$byName.map(\.index) == [2] && named.$byColor.map(\.index) == [1, 2])
      #expect(named.$byName.first?.path.description.hasSuffix("['c_d']") == true)
      let written = #"{"by_color":{"darkRed":1},"by_name":{"aB":2,"a_b":1}}"#
      #expect(try String(decoding: JSONBytesEncoder(like: encoder).encode(named), as: UTF8.self) == written)
      #expect(try String(decoding: encoder.encode(named), as: UTF8.self) == written)
    }
  }

  struct Refusing: Decodable {
    struct Refused: Error {}
    init(from decoder: any Decoder) throws { throw Refused() }
  }

  @Test func `a value dropped from a dictionary has its path in the document`() throws {
    let text = #"{"ranks": {"1": "a", "x": "b", "2": [3]}, "prices": {"a": {"b": 1}, "c": 1}}"#
    let lossies = try JSONBytesDecoder().decode(Lossies.self, from: Data(text.utf8))
    #expect(lossies.$ranks.map(\.path) == ["ranks['2']", "ranks.x"] && lossies.$prices.map(\.path) == ["prices.a"])
    #expect(lossies.$ranks.map(\.index) == [1, 2] && lossies.$ranks.map(\.failure.position?.offset) == [36, 26])
    #expect(lossies.$ranks.map(\.failure.found) == ["an array", "`x`"])
    let custom = #"{"a": {"b": [1]}, "c": [2]}"#
    let drops = try JSONBytesDecoder().decode(LossyDictionary<String, [String: Refusing]>.self, from: Data(custom.utf8))
    #expect(drops.projectedValue.map(\.failure.path) == ["a.b", "c"])
    #expect(drops.projectedValue.map(\.failure.kind) == [.custom, .mismatch])
    let broken = Data(#"{"ranks": {"1": "a", "2": tru}}"#.utf8)
    let failure = try #require(throws: LocatedDecodingError.self) {
      try JSONBytesDecoder().decode(Lossies.self, from: broken)
    }
    #expect(failure.kind == .malformed)
  }

  @Test(arguments: TestedDecoder.all) func `missing and null are empty without drops for the lossy wrapper`(
    decoder: TestedDecoder
  ) throws {
    for text in ["{}", #"{"ranks":null,"prices":null,"tags":null,"rating":null,"link":null}"#] {
      let empty = try decoder.decode(Lossies.self, text)
      #expect(empty.ranks.isEmpty && empty.prices.isEmpty && empty.tags.isEmpty && empty.rating == nil)
      #expect(empty.$ranks.isEmpty && empty.$tags.isEmpty && empty.$rating == nil)
    }
    for text in [#"{"ranks":[1]}"#, #"{"tags":{}}"#, #"{"prices":1}"#] {
      #expect(throws: (any Error).self) { try decoder.decode(Lossies.self, text) }
    }
  }
}
