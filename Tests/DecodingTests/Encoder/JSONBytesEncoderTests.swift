import Decoding
import Foundation
import LarderTestSupport
import Testing

/// What Foundation's encoder does otherwise, or not at all.
@Suite struct JSONBytesEncoderTests {
  /// Encodes what a closure says.
  private struct Played: Encodable {
    let body: (any Encoder) throws -> Void

    func encode(to encoder: any Encoder) throws { try body(encoder) }
  }

  private enum Key: String, CodingKey { case a, b, c }

  private func json(_ body: @escaping (any Encoder) throws -> Void) throws -> String {
    String(decoding: try JSONBytesEncoder().encode([Played(body: body)]), as: UTF8.self)
  }

  private func refused(
    at path: [String], sourceLocation: SourceLocation = #_sourceLocation, _ body: () throws -> Void
  ) {
    let error = #expect(throws: EncodingError.self, sourceLocation: sourceLocation) { try body() }
    guard case .invalidValue(_, let context)? = error else { return }
    #expect(context.codingPath.map(\.stringValue) == path, sourceLocation: sourceLocation)
    #expect(!context.debugDescription.isEmpty, sourceLocation: sourceLocation)
  }

  @Test func `members are written in the order in which they were encoded`() throws {
    let text = try json { encoder in
      var container = encoder.container(keyedBy: Key.self)
      for key in [Key.c, .a, .b] { try container.encode(key.rawValue, forKey: key) }
    }
    #expect(text == #"[{"c":"c","a":"a","b":"b"}]"#)
  }

  @Test func `a value encoded as two kinds is an error, and the first kind is kept`() throws {
    let text = try json { encoder in
      var object = encoder.container(keyedBy: Key.self)
      try object.encode(1, forKey: .a)
      var array = encoder.unkeyedContainer()
      refused(at: ["0"]) { try array.encode(2) }
      refused(at: ["0"]) { try array.encode([2]) }
      refused(at: ["0"]) { try array.encodeNil() }
      var single = encoder.singleValueContainer()
      refused(at: ["0"]) { try single.encode(3) }
      refused(at: ["0"]) { try single.encodeNil() }
      var inArray = array.nestedContainer(keyedBy: Key.self)
      refused(at: ["0", "0"]) { try inArray.encode(4, forKey: .b) }
      refused(at: ["0"]) { try 5.encode(to: array.superEncoder()) }
      try object.encode(6, forKey: .b)
    }
    #expect(text == #"[{"a":1,"b":6}]"#)
  }

  @Test func `a second single value is an error, except after a failed one`() throws {
    struct Failure: Error {}
    let text = try json { encoder in
      var container = encoder.singleValueContainer()
      #expect(throws: EncodingError.self) { try container.encode(Double.nan) }
      #expect(throws: Failure.self) { try container.encode(["a": Played { _ in throw Failure() }]) }
      try container.encode("kept")
      refused(at: ["0"]) { try container.encode("second") }
    }
    #expect(text == #"["kept"]"#)
  }

  @Test func `a member that failed to encode leaves no trace, and its name can be reused`() throws {
    struct Failure: Error {}
    let text = try json { encoder in
      var container = encoder.container(keyedBy: Key.self)
      try? container.encode(Double.infinity, forKey: .a)
      try? container.encode(
        Played { inner in
          var array = inner.unkeyedContainer()
          var nested = array.nestedUnkeyedContainer()
          try array.encode(1)
          try nested.encode(2)
          try 3.encode(to: array.superEncoder())
          throw Failure()
        }, forKey: .b)
      try container.encode(4, forKey: .a)
    }
    #expect(text == #"[{"a":4}]"#)
  }

  @Test func `writing to a container whose value has ended is an error`() throws {
    final class Kept: @unchecked Sendable {
      var containers: [KeyedEncodingContainer<Key>] = []
      var arrays: [any UnkeyedEncodingContainer] = []
      var encoders: [any Encoder] = []
    }
    let kept = Kept()
    let inner = Played { encoder in
      var container = encoder.container(keyedBy: Key.self)
      kept.encoders.append(encoder)
      kept.arrays.append(container.nestedUnkeyedContainer(forKey: .b))
      kept.containers.append(container.nestedContainer(keyedBy: Key.self, forKey: .c))
      kept.containers.append(container)
      try container.encode(1, forKey: .a)
    }
    let text = try json { encoder in
      var container = encoder.unkeyedContainer()
      try container.encode(inner)
      for index in kept.containers.indices {
        #expect(throws: EncodingError.self) { try kept.containers[index].encode(2, forKey: .b) }
      }
      #expect(throws: EncodingError.self) { try kept.arrays[0].encode(3) }
      #expect(throws: EncodingError.self) { try 4.encode(to: kept.encoders[0]) }
      try container.encode(5)
    }
    #expect(text == #"[[{"b":[],"c":{},"a":1},5]]"#)
    for index in kept.containers.indices {
      #expect(throws: EncodingError.self) { try kept.containers[index].encode(2, forKey: .b) }
    }
    #expect(throws: EncodingError.self) { try [4].encode(to: kept.encoders[0]) }
  }

  @Test func `a stored container outlives its encoder, also after an error`() throws {
    struct Failure: Error {}
    for fails in [true, false] {
      var kept: [KeyedEncodingContainer<Key>] = []
      let value = Played { encoder in
        kept.append(encoder.container(keyedBy: Key.self))
        if fails { throw Failure() }
      }
      let result = Result { try JSONBytesEncoder().encode(value) }
      #expect(fails == ((try? result.get()) == nil))
      // Memory that is given back is taken again.
      let others = (0..<50).map { Array(repeating: UInt64($0), count: 20) }
      #expect(throws: EncodingError.self) { try kept[0].encode(1, forKey: .a) }
      #expect(kept[0].codingPath.isEmpty && others.count == 50)
    }
  }

  @Test func `an outer container cannot be written to inside an inner value`() throws {
    let text = try json { encoder in
      var outer = encoder.unkeyedContainer()
      var copy = outer
      try outer.encode(
        Played { inner in
          refused(at: ["0"]) { try copy.encode(1) }
          try "inner".encode(to: inner)
          refused(at: ["0"]) { try copy.encode([1]) }
          refused(at: ["0"]) { try 2.encode(to: encoder) }
        })
      try copy.encode(3)
    }
    #expect(text == #"[["inner",3]]"#)
  }

  @Test func `an element of a super encoder is written where it was requested`() throws {
    let text = try json { encoder in
      var container = encoder.unkeyedContainer()
      let first = container.superEncoder()
      try container.encode(1)
      let second = container.superEncoder()
      var nested = container.nestedUnkeyedContainer()
      try container.encode(2)
      #expect(container.count == 5)
      try "second".encode(to: second)
      var object = first.container(keyedBy: Key.self)
      try object.encode("first", forKey: .a)
      try nested.encode("nested")
      try object.encode("more", forKey: .b)
      try nested.encode("nested too")
      #expect(first.codingPath.map(\.stringValue) == ["0", "0"])
      #expect(second.codingPath.map(\.stringValue) == ["0", "2"])
      #expect(nested.codingPath.map(\.stringValue) == ["0", "3"])
    }
    #expect(text == #"[[{"a":"first","b":"more"},1,"second",["nested","nested too"],2]]"#)
  }

  @Test func `coding paths lead through nested containers, values and super encoders`() throws {
    _ = try json { encoder in
      var object = encoder.container(keyedBy: Key.self)
      var array = object.nestedUnkeyedContainer(forKey: .a)
      try array.encodeNil()
      var inner = array.nestedContainer(keyedBy: Key.self)
      try object.encodeNil(forKey: .b)
      try inner.encode(
        Played { encoder in
          #expect(encoder.codingPath.map(\.stringValue) == ["0", "a", "1", "c"])
          refused(at: ["0", "a", "1", "c"]) { try Double.nan.encode(to: encoder) }
          refused(at: ["0", "a", "1", "c", "b", "1"]) { try ["b": [1, Double.nan]].encode(to: encoder) }
        }, forKey: .c)
      refused(at: ["0", "a", "1", "a"]) { try inner.encode(Double.nan, forKey: .a) }
      refused(at: ["0", "a", "2"]) { try array.encode(Float.nan) }
      refused(at: ["0", "super", "b"]) {
        var container = object.superEncoder().container(keyedBy: Key.self)
        try container.encode(Double.nan, forKey: .b)
      }
    }
  }

  @Test func `the last value encoded for a name is written, also between nested containers`() throws {
    let text = try json { encoder in
      var object = encoder.container(keyedBy: Key.self)
      var nested = object.nestedContainer(keyedBy: Key.self, forKey: .a)
      try nested.encode(1, forKey: .b)
      try object.encode(5, forKey: .a)
      var again = object.nestedContainer(keyedBy: Key.self, forKey: .a)
      try again.encode(7, forKey: .c)
      var array = object.nestedUnkeyedContainer(forKey: .b)
      try array.encode(8)
      var other = object.nestedContainer(keyedBy: Key.self, forKey: .b)
      try other.encode(9, forKey: .a)
    }
    #expect(text == #"[{"a":{"c":7},"b":{"a":9}}]"#)
  }

  @Test func `a stored super encoder belongs to its own encode call`() throws {
    let encoder = JSONBytesEncoder()
    let key = try #require(CodingUserInfoKey(rawValue: "call"))
    var kept: (any Encoder)?
    for call in 1...2 {
      encoder.userInfo = [key: call]
      _ = try encoder.encode([
        Played { encoder in
          var container = encoder.unkeyedContainer()
          let inner = container.superEncoder()
          if call == 1 { kept = inner }
          try call.encode(to: inner)
        }
      ])
    }
    #expect(kept?.userInfo[key] as? Int == 1)
  }

  @Test func `numbers with a few decimals and their neighbors have the shortest digits`() throws {
    var random = SplitMix(seed: 7)
    var numbers = [0, -0.0, 1e-5, 5e-5, 1e-4, 0.0625, 99_999_999_999.9999, 1e11, 1e15, 1e16, .greatestFiniteMagnitude]
    for _ in 0..<20_000 {
      let digits = Double(Int64.random(in: 0..<1 << 53, using: &random) >> Int64.random(in: 0..<53, using: &random))
      numbers.append(digits / [1, 10, 100, 1000, 10_000, 100_000][Int.random(in: 0..<6, using: &random)])
    }
    for number in numbers.flatMap({ [$0, $0.nextUp, -$0, $0.nextDown] }) where number.isFinite {
      let shortest = number.description
      let text = String(decoding: try JSONBytesEncoder().encode(number), as: UTF8.self)
      #expect(text == (shortest.hasSuffix(".0") ? String(shortest.dropLast(2)) : shortest))
    }
  }

  @Test func `a decimal that is not a number is refused`() {
    refused(at: ["a"]) { _ = try JSONBytesEncoder().encode(["a": Decimal.nan]) }
  }

  @Test func `a character is escaped at any position in a string`() throws {
    let (ours, theirs) = (JSONBytesEncoder(), JSONEncoder())
    for formatting in [[], .withoutEscapingSlashes] as [JSONEncoder.OutputFormatting] {
      (ours.outputFormatting, theirs.outputFormatting) = (formatting, formatting)
      for special in ["\"", "\\", "/", "\n", "\u{1F}", " ", "!", "#", "ä", "\u{7F}", ""] {
        for (before, after) in (0..<20).flatMap({ before in (0..<20).map { (before, $0) } }) {
          let text = String(repeating: "a", count: before) + special + String(repeating: "é", count: after)
          #expect(try ours.encode(text) == theirs.encode(text))
        }
      }
    }
  }

  @Test func `long strings and many members are encoded completely`() throws {
    let texts = [String(repeating: "a", count: 1 << 20), String(repeating: "\u{1}", count: 100_000), ""]
    let dictionary = Dictionary(uniqueKeysWithValues: (0..<20_000).map { ("name \($0)", $0) })
    #expect(try JSONDecoder().decode([String].self, from: JSONBytesEncoder().encode(texts)) == texts)
    #expect(try JSONDecoder().decode([String: Int].self, from: JSONBytesEncoder().encode(dictionary)) == dictionary)
  }

  @Test func `a document of many levels is indented and sorted`() throws {
    struct Nested: Encodable {
      let depth: Int
      enum Key: CodingKey { case b, a }

      func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        if depth > 0 { try container.encode(Nested(depth: depth - 1), forKey: .b) }
        try container.encode(depth, forKey: .a)
      }
    }
    let encoder = JSONBytesEncoder()
    encoder.outputFormatting = .sortedKeys
    let text = String(decoding: try encoder.encode(Nested(depth: 400)), as: UTF8.self)
    #expect(
      text.hasPrefix(#"{"a":400,"b":{"a":399,"b":"#) && text.hasSuffix(#"{"a":0}"# + String(repeating: "}", count: 400))
    )
  }

  @Test func `many threads may share an encoder`() async throws {
    let encoder = JSONBytesEncoder()
    let value = ["list": (0..<100).map { "\($0)" }]
    let expected = try encoder.encode(value)
    try await withThrowingTaskGroup(of: Data.self) { group in
      for index in 0..<50 {
        group.addTask {
          encoder.userInfo = [:]
          if index.isMultiple(of: 2) { encoder.dateEncodingStrategy = .iso8601 }
          return try encoder.encode(value)
        }
      }
      for try await data in group { #expect(data == expected) }
    }
  }
}
