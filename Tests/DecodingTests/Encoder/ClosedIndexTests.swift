import Foundation
import Testing

@testable import Decoding

/// Containers that are written to again after others: what that costs is counted.
@Suite struct ClosedIndexTests {
  /// What is done with each of the containers, once all of them have been made.
  enum Second: CaseIterable { case askedForAgain, kept, replaced }

  struct Columns: Encodable {
    let count: Int
    let second: Second

    func encode(to encoder: any Encoder) throws {
      var object = encoder.container(keyedBy: AnyKey.self)
      let names = (0..<count).map { AnyKey(stringValue: "c\($0)") }
      var columns = try names.map { name in
        var column = object.nestedContainer(keyedBy: AnyKey.self, forKey: name)
        try column.encode(1, forKey: AnyKey(stringValue: "a"))
        return column
      }
      for (index, name) in names.enumerated() {
        switch second {
        case .askedForAgain:
          var column = object.nestedContainer(keyedBy: AnyKey.self, forKey: name)
          try column.encode(2, forKey: AnyKey(stringValue: "b"))
        case .kept: try columns[index].encode(2, forKey: AnyKey(stringValue: "b"))
        case .replaced: try object.encode(2, forKey: name)
        }
      }
    }
  }

  @Test(arguments: Second.allCases) func `the index of closed containers adds each one once`(second: Second) throws {
    let count = 500
    let state = EncodingState(SharedEncodingState(EncodingOptions()), root: [])
    try state.encodeRoot([Columns(count: count, second: second)])
    #expect(state.core.pointee.closedIndex.entered <= count)
    let column: JSONValue = second == .replaced ? 2 : ["a": 1, "b": 2]
    let columns = JSONObject((0..<count).map { ("c\($0)", column) })
    #expect(try JSONBytesDecoder().decode([JSONValue].self, from: state.document()) == [.object(columns)])
  }

  @Test func `the index of closed containers drops those of ended values`() throws {
    let rows = (0..<100).map { _ in Columns(count: 3, second: .askedForAgain) }
    let state = EncodingState(SharedEncodingState(EncodingOptions()), root: [])
    try state.encodeRoot(rows)
    #expect(state.core.pointee.closedIndex.entered <= 300 && state.core.pointee.closedIndex.isEmpty)
    let row: JSONValue = ["c0": ["a": 1, "b": 2], "c1": ["a": 1, "b": 2], "c2": ["a": 1, "b": 2]]
    #expect(
      try JSONBytesDecoder().decode([JSONValue].self, from: state.document()) == Array(repeating: row, count: 100))
  }
}
