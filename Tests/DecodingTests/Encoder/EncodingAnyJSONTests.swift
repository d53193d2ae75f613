import Decoding
import Foundation
import Testing

/// JSON of any kind inside of what is encoded.
@Suite struct EncodingAnyJSONTests {
  private func text(_ value: some Encodable, _ formatting: JSONEncoder.OutputFormatting = .withoutEscapingSlashes)
    throws -> String
  {
    let encoder = JSONBytesEncoder()
    encoder.outputFormatting = formatting
    return String(decoding: try encoder.encode(value), as: UTF8.self)
  }

  private static let json =
    #"{"b":[1.10,1e400,18446744073709551616,-0],"a/":{"é":null},"":"\u0001\"","t":[true,[],{}]}"#

  @Test func `encoded numbers keep their digits, and members their order`() throws {
    let value = try JSONBytesDecoder().decode(JSONValue.self, from: Data(Self.json.utf8))
    #expect(try text(value) == Self.json)
    #expect(try text(["x": [value]]) == #"{"x":[\#(Self.json)]}"#)
    #expect(try text(["x": [value]], []) == #"{"x":[\#(Self.json)]}"#.replacing("/", with: #"\/"#))
    #expect(try text(["n": JSONNumber("1.10")]) == #"{"n":1.10}"#)
  }

  @Test func `raw JSON keeps its bytes, unless the output is pretty-printed`() throws {
    let raw = try RawJSON(Data(#"{ "b" : [ 1.0 , "\u0061" ] , "a":{ } , "c" : [ ] }"#.utf8))
    #expect(try text(["r": raw]) == #"{"r":{ "b" : [ 1.0 , "\u0061" ] , "a":{ } , "c" : [ ] }}"#)
    #expect(try text(["r": raw], .sortedKeys) == #"{"r":{"a":{},"b":[1.0,"\u0061"],"c":[]}}"#)
    #expect(try text([raw], .prettyPrinted).filter { !$0.isWhitespace } == #"[{"b":[1.0,"\u0061"],"a":{},"c":[]}]"#)
  }

  /// Has a name twice, in an object next to raw JSON, and a part that stands apart until the end.
  struct Repeating: Encodable {
    var raw: RawJSON

    func encode(to encoder: any Encoder) throws {
      var members = encoder.container(keyedBy: AnyName.self)
      try members.encode(raw, forKey: AnyName(stringValue: "first"))
      try [raw].encode(to: members.superEncoder(forKey: AnyName(stringValue: "apart")))
      try members.encode([1: raw], forKey: AnyName(stringValue: "twice"))
      try members.encode(raw, forKey: AnyName(stringValue: "twice"))
      try members.encode(["n": raw], forKey: AnyName(stringValue: "last"))
    }
  }

  struct AnyName: CodingKey {
    var stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  @Test func `raw JSON keeps its bytes next to objects with duplicate members`() throws {
    let raw = try RawJSON(Data(#"{ "b" : 1 , "b":[ { } ] }"#.utf8))
    let repeating = Repeating(raw: raw)
    #expect(
      try text([repeating, repeating])
        == "["
        + Array(
          repeating: #"{"first":\#(raw),"apart":[\#(raw)],"twice":\#(raw),"last":{"n":\#(raw)}}"#, count: 2
        ).joined(separator: ",") + "]")
  }

  @Test func `a value of ten thousand levels is encoded, sorted and indented on a small stack`() throws {
    let depth = 10_000
    let open = String(repeating: #"[{"a":"#, count: depth / 2)
    let json = open + "1" + String(repeating: "}]", count: depth / 2)
    let done = DispatchSemaphore(value: 0)
    let thread = Thread {
      let decoder = JSONBytesDecoder()
      decoder.maximumDepth = depth
      do {
        let value = try decoder.decode(JSONValue.self, from: Data(json.utf8))
        #expect(try text(value) == json)
        #expect(try text(value, .sortedKeys) == json)
      } catch { Issue.record(error) }
      done.signal()
    }
    thread.stackSize = 512 << 10
    thread.start()
    done.wait()
  }
}
