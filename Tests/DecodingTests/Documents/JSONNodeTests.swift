import Foundation
import LarderTestSupport
import Testing

@testable import Decoding

@Suite struct JSONNodeTests {
  static let text = #" {"a": [ {"x": 1}, {"x": [2, "é"]} ], "b'\n": {"x": 3 } , "c\u0041": null}"#
  var document = JSONDocument(Data(text.utf8))

  @Test func `nodes have normalized paths, ranges and values`() throws {
    let nodes = try document.nodes(at: "$..x")
    #expect(nodes.map(\.path.description) == ["$['a'][0]['x']", "$['a'][1]['x']", #"$['b\'\n']['x']"#])
    let bytes = Array(Self.text.utf8)
    #expect(nodes.map { String(decoding: bytes[$0.range], as: UTF8.self) } == ["1", #"[2, "é"]"#, "3"])
    #expect(nodes.map(\.raw.description) == ["1", #"[2, "é"]"#, "3"])
    #expect(try nodes[0].decode(Int.self) == 1 && nodes[1].decode(JSONValue.self) == [2, "é"])
    let failure = try #require(throws: LocatedDecodingError.self) { try nodes[1].decode([Int].self) }
    #expect(failure.path == "a[1].x[1]" && failure.position?.offset == nodes[1].range.lowerBound + 4)
    #expect(try document.nodes(at: "$").map(\.range) == [1..<bytes.count])
    #expect(try document.nodes(at: "$.*").map(\.path.description) == ["$['a']", #"$['b\'\n']"#, "$['cA']"])
    #expect(try document.nodes(at: "$['cA', 'a', 'cA']").map(\.path.description) == ["$['cA']", "$['a']", "$['cA']"])
  }

  @Test func `the path of a name with an unpaired surrogate selects only its value`() throws {
    let text =
      #"{"a": {"\ud83dx\ude00": 1, "\ufffdx\ufffd": 2, "\ufffd\ufffd\ufffdx\ufffd\ufffd\ufffd": 3, "\ud83d": 4}}"#
    let document = JSONDocument(Data(text.utf8))
    let nodes = try document.nodes(at: "a.*")
    #expect(nodes.map(\.path.description).first == #"$['a']['\ud83dx\ude00']"#)
    #expect(nodes.map(\.path.description).last == #"$['a']['\ud83d']"#)
    #expect(Set(nodes.map(\.path)).count == 4)
    for (index, node) in nodes.enumerated() {
      #expect(try document.nodes(at: node.path).map(\.range) == [node.range])
      #expect(try document.values(Int.self, at: node.path) == [index + 1])
      #expect(try node.decode(Int.self) == index + 1)
    }
    // As a text it is not a path: RFC 9535 has whole characters only.
    #expect(throws: JSONPathError.self) { try JSONPath(parsing: nodes[0].path.description) }
  }

  @Test mutating func `nodes follow the same rules for paths, limits and missing values as decoded values`() throws {
    #expect(try document.nodes(at: "nothing").isEmpty && document.nodes(at: "a[9].x").isEmpty)
    #expect(try document.nodes(at: "a[1].x[0]").map { try $0.decode(Int.self) } == [2])
    #expect(throws: LocatedDecodingError.self) { try document.nodes(at: "c\u{41}.x") }
    #expect(throws: LocatedDecodingError.self) { try document.nodes(at: "a[") }
    document.limits.work = 100
    let stopped = try #require(throws: LocatedDecodingError.self) { try document.nodes(at: "$..*") }
    #expect(stopped.kind == .limit && stopped.path == "$..*")
  }

  @Test func `cancelling the task ends the selection of nodes`() async {
    let document = JSONDocument(Data(JSONPathLimitsTests.numbers.utf8))
    let kind = await Task {
      withUnsafeCurrentTask { $0?.cancel() }
      do throws(LocatedDecodingError) {
        return try document.nodes(at: "$[*]").isEmpty ? nil : LocatedDecodingError.Kind.custom
      } catch {
        return error.kind
      }
    }.value
    #expect(kind == .limit)
  }

  @Test(arguments: [#"{"a":[1,{"x":[1,2}]}]}"#, #"{"x":tru}"#, #"[{"x":1"#, #"[{"x" 1}]"#, #"[{"x":"\q"}]"#])
  func `malformed JSON inside a node is an error`(text: String) throws {
    let failure = try #require(throws: LocatedDecodingError.self) {
      try JSONDocument(Data(text.utf8)).nodes(at: "$..x")
    }
    #expect(failure.kind == .malformed)
  }

  @Test(arguments: [
    #"[{"x":}]"#, #"[{"x":1,}]"#, "[[1,]]", "[[,1]]", "[[1 2]]", #"[{"x"}]"#, "[[1}]", #"[{"x":1]]"#, "[[tru]]",
    "[[01]]",
  ])
  func `malformed JSON in a node that the path does not enter is an error`(text: String) throws {
    let document = JSONDocument(Data(text.utf8))
    #expect(throws: LocatedDecodingError.self) { try document.nodes(at: "$[*]") }
    #expect(throws: LocatedDecodingError.self) { try document.nodes(at: "[0]") }
  }

  @Test func `each node's path selects that node and nothing else`() throws {
    var random = SplitMix.printed()
    for _ in 0..<300 {
      let document = JSONDocument(Data(RandomDocument(seed: random.next()).text.utf8))
      for path in ["$..*", "$..[?@.a]", "$..[::2]", "$..a..*"] as [JSONPath] {
        for node in try document.nodes(at: path) {
          #expect(try document.nodes(at: node.path).map(\.range) == [node.range])
          #expect(node.path.isSingular)
        }
      }
    }
  }

  @Test(.enabled(if: Fixtures.file("jsonpath/cts.json") != nil, "the JSONPath compliance suite is not there"))
  func `nodes have the normalized paths of the compliance suite`() throws {
    let file = try #require(Fixtures.file("jsonpath/cts.json"))
    let suite = JSONDocument(try Data(contentsOf: file))
    let tests = try suite.values(JSONValue.self, at: "$.tests[?@.result_paths || @.results_paths]")
    #expect(tests.count == 456)
    for test in tests {
      let document = JSONDocument(try #require(test["document"]).data)
      let path = try JSONPath(parsing: try #require(test["selector"]?.string))
      let nodes: [JSONNode]
      do throws(LocatedDecodingError) {
        nodes = try document.nodes(at: path)
      } catch {
        // Where the standard selects nothing, the strict beginning of a path says why.
        #expect(error.kind == .mismatch && test["result"] == [], "\(test["name"] ?? nil)")
        continue
      }
      let paths = JSONValue.array(nodes.map { .string($0.path.description) })
      let values = JSONValue.array(try nodes.map { try $0.decode() })
      if let expected = test["result_paths"] {
        #expect(paths == expected && values == test["result"], "\(test["name"] ?? nil)")
      } else {
        #expect(test["results_paths"]?.array?.contains(paths) == true, "\(test["name"] ?? nil)")
        #expect(test["results"]?.array?.contains(values) == true, "\(test["name"] ?? nil)")
      }
    }
  }

  @Test func `a path that selects too many nodes reaches a limit in bounded memory`() throws {
    let deep = String(repeating: "[", count: 500) + String(repeating: "]", count: 500)
    var document = JSONDocument(Data(deep.utf8))
    document.limits.work = 1 << 25
    let growth = try MemoryGrowth()
    let failure = try #require(throws: LocatedDecodingError.self) { try document.nodes(at: "$..*..*..*") }
    #expect(try failure.kind == .limit && growth.bytes < 20 << 20)
  }

  @Test func `nodes of a document share one table`() throws {
    // One table for all, although each of the values is selected many times.
    let depth = 400
    let deep = String(repeating: "[", count: depth) + "1" + String(repeating: "]", count: depth)
    let document = JSONDocument(Data(deep.utf8))
    let nodes = try document.nodes(at: "$..*..*")
    #expect(nodes.count == depth * (depth - 1) / 2)
    let table = try #require(nodes.first?.table)
    #expect(nodes.allSatisfy { $0.table === table })
    #expect(nodes.last?.path.description.count == 2 + 3 * depth - 1)
  }
}
