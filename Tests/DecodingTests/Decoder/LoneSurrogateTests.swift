import Decoding
import Foundation
import Testing

/// Half of a surrogate pair is no text: its value is invalid, and nothing else is.
@Suite struct LoneSurrogateTests {
  private let decoder = JSONBytesDecoder()

  private func data(_ text: String) -> Data { Data(text.utf8) }

  @Test(arguments: [#"["\ud800"]"#, #"[{"\udc00":1}]"#, #"[["a\ud83dx"]]"#])
  func `a lone surrogate in a string is an error with its position`(text: String) {
    let failure = #expect(throws: LocatedDecodingError.self) { try decoder.decode([AnyValue].self, from: data(text)) }
    #expect(failure?.kind == .invalid)
    #expect(failure?.path.description.hasPrefix("$[0]") == true)
    #expect((failure?.position?.offset ?? 0) > 0)
  }

  struct Names: Decodable { @LossyArray var names: [String] }
  struct Values: Decodable { @LossyArray var values: [AnyValue] }
  struct Members: Decodable { @LossyArray var members: [[String: Int]] }

  @Test func `a lossy array drops elements that contain a lone surrogate`() throws {
    let names = try decoder.decode(Names.self, from: data(#"{"names":["a","\ud800","b"]}"#))
    #expect(names.names == ["a", "b"])
    #expect(names.$names.map(\.path) == ["names[1]"])
    let values = try decoder.decode(Values.self, from: data(#"{"values":[1,{"a":{"\ud800":1}},["\udc00"],2]}"#))
    #expect(values.values == [.int(1), .int(2)])
    #expect(values.$values.map(\.index) == [1, 2])
    let members = try decoder.decode(Members.self, from: data(#"{"members":[{"a":1},{"\ud800":1},{"b":2}]}"#))
    #expect(members.members == [["a": 1], ["b": 2]])
  }

  @Test func `a member that is not decoded may contain a lone surrogate in its name or value`() throws {
    struct Item: Decodable, Equatable { let id: Int }
    let text = #"{"\ud800":1,"x":"\ud800","id":7,"\udc00":2}"#
    #expect(try decoder.decode(Item.self, from: data(text)) == Item(id: 7))
    #expect(try JSONDocument(data(text)).decode(Int.self, at: "id") == 7)
  }

  @Test func `all keys and a dictionary report a name with a lone surrogate, even after other members`() {
    struct Item: Decodable {
      init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: AnyValue.Key.self)
        _ = try container.decode(Int.self, forKey: AnyValue.Key(stringValue: "id"))
        _ = container.allKeys
      }
    }
    let text = data(#"[{"\ud800":1,"id":7}]"#)
    #expect(throws: LocatedDecodingError.self) { try decoder.decode([Item].self, from: text) }
    #expect(throws: LocatedDecodingError.self) { try decoder.decode([[String: Int]].self, from: text) }
    #expect(throws: LocatedDecodingError.self) { try decoder.decode(AnyValue.self, from: text) }
  }

  private var replacing: JSONBytesDecoder {
    let decoder = JSONBytesDecoder()
    decoder.replacesUnpairedSurrogates = true
    return decoder
  }

  @Test(arguments: [
    (#"\ud800"#, "\u{FFFD}"), (#"a\ud83dx"#, "a\u{FFFD}x"), (#"\udc00\ud800"#, "\u{FFFD}\u{FFFD}"),
    (#"\ud800\ud83d\ude00"#, "\u{FFFD}😀"), (#"\ud800\u0041"#, "\u{FFFD}A"), (#"\ud83d\n"#, "\u{FFFD}\n"),
  ])
  func `a lone surrogate is decoded as a replacement character on request`(text: String, string: String) throws {
    let item = #"{"\#(text)":"\#(text)"}"#
    #expect(try replacing.decode([String].self, from: data("[\"\(text)\"]")) == [string])
    #expect(try replacing.decode([String: String].self, from: data(item)) == [string: string])
    #expect(try replacing.decode(JSONValue.self, from: data(item)) == [string: .string(string)])
    #expect(try replacing.decode(AnyValue.self, from: data(item)) == .object([string: .string(string)]))
    let node = try #require(try JSONDocument(data(item), decoder: replacing).nodes(at: "*").first)
    #expect(try JSONDocument(data(item), decoder: replacing).decode(String.self, at: node.path) == string)
    #expect(throws: LocatedDecodingError.self) { try decoder.decode([String].self, from: data("[\"\(text)\"]")) }
    #expect(throws: LocatedDecodingError.self) { try replacing.decode([String].self, from: data("[\"\u{1}\"]")) }
  }

  @Test func `replaced surrogates in names do not disturb other members`() throws {
    struct Item: Decodable, Equatable { let id: Int, count: Int }
    let text = #"{"\ud800":1,"id":7,"\udc00":2,"\u0063ount":3}"#
    #expect(try replacing.decode(Item.self, from: data(text)) == Item(id: 7, count: 3))
    #expect(try replacing.decode([String: Int].self, from: data(text)) == ["\u{FFFD}": 1, "id": 7, "count": 3])
    #expect(try JSONDocument(data(text), decoder: replacing).decode(Int.self, at: "count") == 3)
    let failure = #expect(throws: LocatedDecodingError.self) {
      try replacing.decode([String: Int].self, from: data(#"{"\ud800":"x"}"#))
    }
    #expect(failure?.kind == .mismatch)
  }

  @Test(arguments: [1, 3, 1000]) func `a stream drops an element that contains a lone surrogate`(size: Int) async throws
  {
    var options = JSONElementOptions()
    options.dropLimit = 1
    let chunks = Chunks(#"["a","\ud800","b"]"#, size: size)
    var names: [String] = []
    for try await name in JSONElements(of: String.self, in: chunks, options: options) { names.append(name) }
    #expect(names == ["a", "b"])
    let objects = Chunks(#"[{"a":1},{"\ud800":1},{"b":2}]"#, size: size)
    var members: [[String: Int]] = []
    for try await member in JSONElements(of: [String: Int].self, in: objects, options: options) {
      members.append(member)
    }
    #expect(members == [["a": 1], ["b": 2]])
  }
}
