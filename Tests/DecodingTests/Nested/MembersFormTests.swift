import Foundation
import Testing

@testable import Decoding

/// What members keep of their form when they are written next to others, or read by a decoder that notes them.
@Suite struct MembersFormTests {
  struct Encoding: Encodable {
    var body: @Sendable (NestedEncoder) throws -> Void
    func encode(to encoder: any Encoder) throws { try body(encoder.nested()) }
  }

  /// Encodes its value by the value's own method, as wrappers do.
  struct Wrapper<Value: Encodable>: Encodable {
    var value: Value
    func encode(to encoder: any Encoder) throws { try value.encode(to: encoder) }
  }

  private func text(_ value: some Encodable, _ encoder: JSONBytesEncoder = JSONBytesEncoder()) throws -> String {
    String(decoding: try encoder.encode(value), as: UTF8.self)
  }

  struct Wide: Codable, Equatable { var n: Int128 }
  struct WidePositive: Codable, Equatable { var n: UInt128 }

  @Test(arguments: TestedDecoder.all) func `members keep 128-bit integers`(decoder: TestedDecoder) throws {
    let signed = #"{"n":-170141183460469231731687303715884105728}"#
    let unsigned = #"{"n":340282366920938463463374607431768211455}"#
    // Foundation's decoder has no numbers of that size.
    let texts = decoder.description == "JSONDecoder" ? (#"{"n":-7}"#, #"{"n":7}"#) : (signed, unsigned)
    let wide = try decoder.decode(RefusingUnknown<Wide>.self, texts.0).wrappedValue
    #expect(try decoder.decode(KeepingUnknown<Wide>.self, texts.0).wrappedValue == wide)
    let positive = try decoder.decode(RefusingUnknown<WidePositive>.self, texts.1).wrappedValue
    #expect(try decoder.decode(KeepingUnknown<WidePositive>.self, texts.1).wrappedValue == positive)
    #expect(try text(Encoding { try $0.encodeMembers(of: wide) }) == texts.0)
    #expect(try text(Encoding { try $0.encodeMembers(of: positive) }) == texts.1)
    #expect(try decoder.decode([RefusingUnknown<Int128>].self, "[7]")[0].wrappedValue == 7)
    #expect(try decoder.decode([RefusingUnknown<UInt128>].self, "[7]")[0].wrappedValue == 7)
  }

  private static let json = #"{"b":1.10,"a":{"z":18446744073709551616,"y":"é"},"10":1e400}"#

  @Test func `a value keeps its digits and order when its members are written next to others`() throws {
    let value = try JSONValue(parsing: Self.json)
    #expect(try text(Encoding { try $0.encodeMembers(of: value) }) == Self.json)
    #expect(try text(Encoding { try $0.encodeMembers(of: Optional(value)) }) == Self.json)
    #expect(try text(Encoding { try $0.encodeMembers(of: Wrapper(value: value)) }) == Self.json)
    let raw = try RawJSON(Data(#"{ "b" : [ 1.0 ], "a":"\u0041" , "b":2}"#.utf8))
    #expect(try text(Encoding { try $0.encodeMembers(of: raw) }) == #"{"b":[ 1.0 ],"a":"\u0041"}"#)
    for value in [JSONValue.null, 1, [1]] {
      #expect(throws: EncodingError.self) { try text(Encoding { try $0.encodeMembers(of: value) }) }
      #expect(throws: EncodingError.self) { try text(Encoding { try $0.encodeMembers(of: RawJSON(value)) }) }
    }
  }

  @Test func `values that are encoded by their own method keep their form`() throws {
    #expect(try text(Wrapper(value: JSONValue(parsing: Self.json))) == Self.json)
    #expect(try text(["n": Wrapper(value: JSONNumber("1.10"))]) == #"{"n":1.10}"#)
    #expect(try text([Wrapper(value: RawJSON(Data("{ }".utf8)))]) == "[{ }]")
  }

  @Test func `values keep their form if their members are recorded`() throws {
    let data = Data("[\(Self.json)]".utf8)
    let decoder = JSONBytesDecoder()
    #expect(try decoder.decode([RefusingUnknown<JSONValue>].self, from: data)[0].wrappedValue.description == Self.json)
    #expect(try decoder.decode([KeepingUnknown<RawJSON>].self, from: data)[0].wrappedValue.description == Self.json)
    #expect(
      try decoder.decode([RefusingUnknown<JSONNumber>].self, from: Data("[1.10]".utf8))[0].wrappedValue.text == "1.10")
  }

  // Names.

  private var snake: (encoder: JSONBytesEncoder, decoder: JSONBytesDecoder, JSONEncoder, JSONDecoder) {
    let encoder = JSONEncoder()
    encoder.keyEncodingStrategy = .convertToSnakeCase
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    return (JSONBytesEncoder(like: encoder), JSONBytesDecoder(like: decoder), encoder, decoder)
  }

  struct Dated: Codable { var startDate = 1 }

  @Test func `the names of a merged dictionary are exempt from the encoder's key strategy`() throws {
    let encoding = Encoding {
      try $0.encode(1, at: "someName")
      try $0.encodeMembers(of: ["aB": 1])
      try $0.encodeMembers(of: Dated())
      try $0.encodeMembers(of: Optional(["cD": ["eF": Dated()]]))
      try $0.encodeMembers(of: ["gH": ["iJ": 1]] as JSONValue)
    }
    #expect(
      try text(encoding, snake.encoder)
        == #"{"some_name":1,"aB":1,"start_date":1,"cD":{"eF":{"start_date":1}},"gH":{"iJ":1}}"#)
  }

  struct Kept: Codable {
    @KeepingUnknown var dated: Dated
  }

  struct Rest: Codable {
    var startDate: Int
    var others: JSONObject

    init(from decoder: any Decoder) throws {
      let decoder = decoder.recordingMembers()
      startDate = try decoder.nested().decode(at: "startDate")
      others = try decoder.unknownMembers()
    }

    func encode(to encoder: any Encoder) throws {
      let json = encoder.nested()
      try json.encode(startDate, at: "startDate")
      try json.encodeMembers(of: others)
    }
  }

  @Test func `unread members are written back under their names`() throws {
    let coders = snake
    let text = #"{"start_date":1,"aB":3,"other_name":{"some_name":2}}"#
    let rest = try coders.decoder.decode(Rest.self, from: Data(text.utf8))
    #expect(rest.others == ["other_name": ["some_name": 2], "aB": 3])
    #expect(try JSONValue(parsing: self.text(rest, coders.encoder)) == JSONValue(parsing: text))
    let kept = #"{"dated":\#(text)}"#
    let value = try coders.decoder.decode(Kept.self, from: Data(kept.utf8))
    #expect(try self.text(value, coders.encoder) == kept)
    // Foundation's coders convert both ways, so that names in snake case come back.
    let theirs = #"{"dated":{"start_date":1,"other_name":{"some_name":2}}}"#
    let again = try coders.2.encode(coders.3.decode(Kept.self, from: Data(theirs.utf8)))
    #expect(try JSONValue(parsing: String(decoding: again, as: UTF8.self)) == JSONValue(parsing: theirs))
  }
}
