import Decoding
import Foundation
import Testing

/// The everyday filter, one text under one name, goes a way of its own on decoders; the same filter said twice goes the
/// way of any other. Both have to tell the same.
@Suite struct NestedTextFilterTests {
  static let lists = [
    #"[{"type": "A", "id": "1"}, {"type": "B", "id": "2"}, {"type": "B", "id": "3"}]"#,
    #"[{"type": "B"}, {"type": "B", "id": null}, {"type": "B", "id": "3"}]"#,
    #"[{"type": "B", "id": 7}]"#, #"[{"type": "B", "id": {"x": 1}}]"#,
    #"[null, {"type": "B", "id": "2"}]"#, #"[7, [], "B", {"type": "B", "id": "2"}, null]"#,
    #"[{"type": 1, "id": "0"}, {"type": null, "id": "0"}, {"id": "0"}, {"type": "B", "id": "2"}]"#,
    #"[{"type": ["B"], "id": "0"}, {"type": "B", "id": "2"}]"#,
    #"[{"type": "B", "in": {"id": "4", "more": {"id": "5"}}, "rows": [{"id": "6"}]}]"#,
    #"[{"type": "B", "in": null, "rows": null}, {"type": "B", "in": 7, "rows": 7}, {"type": "B", "in": {"id": "4"}}]"#,
    #"[{"type": "B", "in": {"more": {}}}, {"type": "B", "in": {"more": {"id": "8"}}}]"#,
    "[]", "[[]]", "[null]", "null", "7", #""B""#, "{}",
    #"{"one": {"type": "B", "id": "9"}, "two": {"type": "A"}, "three": 3}"#,
  ]

  static let rests = ["id", "in.id", "in.more.id", "rows[0].id", "absent"]

  @Test(arguments: lists, rests)
  func `a filter on a string gives the same result on the fast and the general path`(list: String, rest: String) throws
  {
    for (text, way) in [
      (#"{"a": {"list": \#(list)}}"#, "a.list"), (#"{"list": \#(list)}"#, "list"), (#"{"a": [\#(list)]}"#, "a[0]"),
      (list, ""), (#"{"a": null}"#, "a.list"), (#"{"b": 1}"#, "a.list"), (#"{"a": 1}"#, "a.list"),
    ] {
      let everyday = try JSONPath(parsing: "$\(way.isEmpty ? "" : ".")\(way)[?@.type=='B'].\(rest)")
      let general = try JSONPath(parsing: "$\(way.isEmpty ? "" : ".")\(way)[?@.type=='B' && 'B'==@.type].\(rest)")
      for isStrict in [true, false] {
        for decode in [onFoundation, onBytes] {
          let (one, other) = (decode(text, everyday, isStrict), decode(text, general, isStrict))
          #expect(one == other, "\(everyday), strict: \(isStrict), in \(text)")
        }
      }
    }
  }

  @Test func `strings in filters are compared by their bytes`() throws {
    let text = #"{"list": [{"type": "e\u0301", "id": "two scalars"}, {"type": "\u00e9", "id": "one"}]}"#
    for (type, id) in [("\u{e9}", "one"), ("e\u{301}", "two scalars")] {
      let path = try JSONPath(parsing: "list[?@.type=='\(type)'].id")
      #expect(try Probe.json(text) { try $0.decode(String.self, at: path) } == id)
    }
  }

  @Test func `several filters on one list each find their own element`() throws {
    let text = #"{"a": {"ids": [{"t": "x", "v": 1}, {"t": "y", "v": 2}, {"t": "z", "in": {"v": 3}}]}}"#
    let found = try Probe.json(text) { json in
      [
        try json.decode(Int.self, at: "a.ids[?@.t=='y'].v"), try json.decode(at: "a.ids[?@.t=='x'].v"),
        try json.decode(at: "a.ids[?@.t=='z'].in.v"), try json.decode(at: "a.ids[2].in.v"),
        try json.decodeIfPresent(at: "a.ids[?@.t=='q'].v") ?? 0, try json.decode(at: "a.ids[?@.t=='y'].v"),
      ]
    }
    #expect(found == [2, 1, 3, 3, 0, 2])
  }

  @Test func `an element that is not an object does not hide those after it`() throws {
    let list: [String: Any] = ["ids": [["t": "x", "v": 1], 5, ["t": "y", "v": 2]] as [Any]]
    let data = try PropertyListSerialization.data(fromPropertyList: list, format: .xml, options: 0)
    struct Found: Decodable {
      var values: [Int]
      init(from decoder: any Decoder) throws {
        let list = try decoder.nested()
        values = [
          try list.decode(at: "ids[?@.t=='y'].v"), try list.decode(at: "ids[?@.t=='x'].v"),
          try list.decode(at: "ids[?@.t=='y'].v"),
        ]
      }
    }
    #expect(try PropertyListDecoder().decode(Found.self, from: data).values == [2, 1, 2])
  }

  /// What came of it, as a text: the value, or the kind and place of the error.
  private func outcome(_ body: () throws -> String?) -> String {
    do {
      return try body() ?? "nil"
    } catch let error as DecodingError {
      switch error {
      case .keyNotFound(let key, let context): return "missing \(key.stringValue) in \(place(context))"
      case .valueNotFound(let type, let context): return "no \(type) at \(place(context))"
      case .typeMismatch(let type, let context): return "not \(type) at \(place(context)): \(context.debugDescription)"
      case .dataCorrupted(let context): return "corrupted at \(place(context)): \(context.debugDescription)"
      @unknown default: return "\(error)"
      }
    } catch {
      return "\(error)"
    }
  }

  private func place(_ context: DecodingError.Context) -> String { "\(JSONPath(codingPath: context.codingPath))" }

  private func onFoundation(_ text: String, _ path: JSONPath, strictly: Bool) -> String {
    outcome {
      try JSONDecoder().decode(Probe<String?>.self, from: Data(text.utf8)) { json throws in
        strictly ? try json.decode(String.self, at: path) : try json.decodeIfPresent(at: path)
      }.value
    }
  }

  private func onBytes(_ text: String, _ path: JSONPath, strictly: Bool) -> String {
    outcome {
      try Probe.json(text) { json in
        strictly ? try json.decode(String.self, at: path) : try json.decodeIfPresent(String.self, at: path)
      }
    }
  }
}
