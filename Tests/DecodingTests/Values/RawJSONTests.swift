import Decoding
import Foundation
import Testing

@Suite struct RawJSONTests {
  struct Envelope: Codable {
    var kind: String
    var payload: RawJSON
    var other: RawJSON?
    var last: Int
  }

  static let data = Data(#"{"kind":"m", "payload": { "b" : [1.0 , 1e400], "a":"\u0041" } ,"last":3}"#.utf8)

  @Test func `our decoder keeps the bytes of raw JSON, including white space`() throws {
    let envelope = try JSONBytesDecoder().decode(Envelope.self, from: Self.data)
    #expect("\(envelope.payload)" == #"{ "b" : [1.0 , 1e400], "a":"\u0041" }"#)
    #expect(envelope.other == nil && envelope.last == 3)
    #expect(try envelope.payload.decode(String.self, at: "a") == "A")
    #expect(try RawJSON(Data(" [1] \n".utf8)).description == "[1]")
    #expect(
      try JSONBytesDecoder().decode([RawJSON].self, from: Data("[ 1 ,\"x\", null]".utf8)).map(\.description) == [
        "1", "\"x\"", "null",
      ])
  }

  @Test func `raw JSON is decoded with the options of the given decoder`() throws {
    struct Value: Decodable {
      var aB: Int
    }
    let raw = RawJSON(["a_b": 1])
    #expect(throws: LocatedDecodingError.self) { try raw.decode(Value.self) }
    let decoder = JSONBytesDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    #expect(try raw.decode(Value.self, by: decoder).aB == 1)
  }

  @Test func `other decoders write raw JSON again from the value they preserve`() throws {
    let text = Data(#"{"kind":"m", "payload": { "b" : [1.0] , "a":"\u0041" } ,"last":3}"#.utf8)
    let envelope = try JSONDecoder().decode(Envelope.self, from: text)
    #expect("\(envelope.payload)" == #"{"a":"A","b":[1]}"#)
  }

  @Test func `encoding raw JSON writes its value`() throws {
    let envelope = Envelope(kind: "k", payload: try RawJSON(Data(#"{ "a" : [1.50] }"#.utf8)), last: 1)
    let written = try JSONValue(encoding: envelope)
    #expect(written == ["kind": "k", "payload": ["a": [1.5]], "last": 1])
    let list = try PropertyListEncoder().encode(envelope)
    #expect(try PropertyListDecoder().decode(Envelope.self, from: list).payload.decode() == ["a": [1.5]] as JSONValue)
  }

  @Test func `raw JSON is checked even where skipped parts are trusted`() throws {
    let decoder = JSONBytesDecoder()
    decoder.validation = .trusted
    let data = Data(#"{"kind":"k","payload":[01],"last":1}"#.utf8)
    let failure = try #require(throws: LocatedDecodingError.self) { try decoder.decode(Envelope.self, from: data) }
    #expect(failure.kind == .malformed)
  }
}
