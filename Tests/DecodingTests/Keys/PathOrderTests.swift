import Decoding
import Foundation
import LarderTestSupport
import Testing

/// Random trees whose leaves are encoded and decoded by path keys, in any order.
@Suite(.timeLimit(.minutes(5))) struct PathOrderTests {
  struct Path: NestedCodingKey {
    var rawValue: String
  }

  indirect enum Tree: Equatable {
    case leaf(Int)
    case object([String: Tree])

    static func random(_ depth: Int, _ random: inout SplitMix) -> Tree {
      guard depth == 0 || depth < 4 && Int.random(in: 0..<3, using: &random) > 0 else {
        return .leaf(.random(in: -9...9, using: &random))
      }
      let names = ["a", "b", "c", "d", "é", "user_name"].shuffled(using: &random).prefix(
        .random(in: 1...4, using: &random))
      return .object(Dictionary(uniqueKeysWithValues: names.map { ($0, .random(depth + 1, &random)) }))
    }

    var leaves: [(path: String, value: Int)] {
      switch self {
      case .leaf(let value): [("", value)]
      case .object(let members):
        members.flatMap { name, tree in tree.leaves.map { ($0.path.isEmpty ? name : "\(name).\($0.path)", $0.value) } }
      }
    }

    var json: JSONValue {
      switch self {
      case .leaf(let value): .number(JSONNumber(value))
      case .object(let members): .object(members.mapValues(\.json))
      }
    }
  }

  /// Leaves in an order of their own.
  struct Leaves: Codable {
    static let order = CodingUserInfoKey(rawValue: "order")!
    var leaves: [(path: String, value: Int)]

    init(_ leaves: [(path: String, value: Int)]) { self.leaves = leaves }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: Path.self)
      let order = decoder.userInfo[Self.order] as? [String] ?? []
      leaves = try order.enumerated().map { index, path in
        let key = Path(rawValue: path)
        let value =
          index.isMultiple(of: 2)
          ? try container.decode(Int.self, forKey: key) : try container.decodeIfPresent(Int.self, forKey: key)
        return (path, value ?? .min)
      }
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: Path.self)
      for (path, value) in leaves { try container.encode(value, forKey: Path(rawValue: path)) }
    }
  }

  @Test func `leaves in any order are encoded as their tree, and decoded again`() throws {
    var random = SplitMix.printed()
    for _ in 0..<400 {
      let tree = Tree.random(0, &random)
      let leaves = tree.leaves.shuffled(using: &random)
      let nested = [Leaves(leaves), Leaves(leaves)]
      let encoder = JSONBytesEncoder()
      if Bool.random(using: &random) { encoder.outputFormatting = [.sortedKeys] }
      let decoder = JSONBytesDecoder()
      let foundation = JSONDecoder()
      let order = leaves.map(\.path).shuffled(using: &random)
      decoder.userInfo[Leaves.order] = order
      foundation.userInfo[Leaves.order] = order
      for document in [try encoder.encode(nested), try JSONEncoder().encode(nested)] {
        try #require(
          try JSONBytesDecoder().decode(JSONValue.self, from: document) == [tree.json, tree.json], "\(leaves)")
        let expected = Dictionary(uniqueKeysWithValues: leaves.map { ($0.path, $0.value) })
        for decoded in [
          try decoder.decode([Leaves].self, from: document), try foundation.decode([Leaves].self, from: document),
        ] {
          for copy in decoded {
            try #require(copy.leaves.allSatisfy { expected[$0.path] == $0.value }, "\(order)")
          }
        }
      }
    }
  }

  @Test func `a container that is requested again anywhere has what was encoded before`() throws {
    var random = SplitMix.printed()
    struct Steps: Encodable {
      let leaves: [(path: String, value: Int)]
      func encode(to encoder: any Encoder) throws {
        var root = encoder.container(keyedBy: Name.self)
        for (path, value) in leaves {
          let names = path.split(separator: ".").map { Name(stringValue: String($0)) }
          guard names.count > 1 else {
            try root.encode(value, forKey: names[0])
            continue
          }
          var object = root.nestedContainer(keyedBy: Name.self, forKey: names[0])
          for name in names[1..<names.count - 1] { object = object.nestedContainer(keyedBy: Name.self, forKey: name) }
          try object.encode(value, forKey: names[names.count - 1])
        }
      }
    }
    struct Name: CodingKey {
      let stringValue: String
      var intValue: Int? { nil }
      init(stringValue: String) { self.stringValue = stringValue }
      init?(intValue: Int) { nil }
    }
    for _ in 0..<400 {
      let tree = Tree.random(0, &random)
      let steps = Steps(leaves: tree.leaves.shuffled(using: &random))
      let value = try JSONBytesDecoder().decode(
        JSONValue.self, from: JSONBytesEncoder().encode(["a": steps, "b": steps]))
      try #require(value == ["a": tree.json, "b": tree.json], "\(steps.leaves)")
    }
  }

  struct Name: Codable, Equatable {
    var name: String
    enum CodingKeys: String, NestedCodingKey { case name = "attributes.name" }
  }
  struct Title: Codable, Equatable {
    var name: String
    enum CodingKeys: String, NestedCodingKey { case name = "attributes.name" }
  }
  final class Linked: Codable {
    var name: String
    var next: Linked?
    enum CodingKeys: String, NestedCodingKey { case name = "data.name", next = "data.next" }
  }

  @Test func `types with the same paths, and types inside themselves, are decoded and encoded in turn`() throws {
    struct Pair: Codable, Equatable {
      var first: Name
      var second: Title
    }
    let pairs = (0..<20).map { Pair(first: Name(name: "a\($0)"), second: Title(name: "b\($0)")) }
    for encoded in [try JSONBytesEncoder().encode(pairs), try JSONEncoder().encode(pairs)] {
      #expect(try JSONBytesDecoder().decode([Pair].self, from: encoded) == pairs)
      #expect(try JSONDecoder().decode([Pair].self, from: encoded) == pairs)
    }
    let text = #"{"data":{"name":"a","next":{"data":{"name":"b","next":{"data":{"name":"c"}}}}}}"#
    let list = try JSONBytesDecoder().decode(Linked.self, from: Data(text.utf8))
    #expect(list.next?.next?.name == "c")
    #expect(String(decoding: try JSONBytesEncoder().encode(list), as: UTF8.self) == text)
  }

  @Test func `decoding and encoding by paths leaves nothing behind`() throws {
    let name = Name(name: String(repeating: "n", count: 10_000))
    let (encoder, decoder) = (JSONBytesEncoder(), JSONBytesDecoder())
    let growth = try MemoryGrowth()
    for _ in 0..<5000 {
      let document = try encoder.encode(name)
      #expect(try decoder.decode(Name.self, from: document).name.utf8.count == 10_000)
    }
    #expect(try growth.bytes < 20_000_000)
  }

  @Test func `paths are followed in elements that fail, in arrays of containers and under a key strategy`() throws {
    let lossy = Data(
      #"[{"attributes":{"name":"a"}},{"attributes":{"name":1}},{"attributes":7},{},{"attributes":{"name":"b"}}]"#.utf8)
    for values in [
      try JSONBytesDecoder().decode(LossyArray<Name>.self, from: lossy).wrappedValue,
      try JSONDecoder().decode(LossyArray<Name>.self, from: lossy).wrappedValue,
    ] { #expect(values.map(\.name) == ["a", "b"]) }

    struct Rows: Codable, Equatable {
      var names: [String]
      init(_ names: [String]) { self.names = names }
      init(from decoder: any Decoder) throws {
        var array = try decoder.unkeyedContainer()
        names = []
        while !array.isAtEnd {
          let row = try array.nestedContainer(keyedBy: Path.self)
          names.append(try row.decode(String.self, forKey: Path(rawValue: "firstPart.innerName")))
          names.append(try row.decode(String.self, forKey: Path(rawValue: "firstPart.otherPart.innerName")))
        }
      }
      func encode(to encoder: any Encoder) throws {
        var array = encoder.unkeyedContainer()
        for index in stride(from: 0, to: names.count, by: 2) {
          var row = array.nestedContainer(keyedBy: Path.self)
          try row.encode(names[index], forKey: Path(rawValue: "firstPart.innerName"))
          try row.encode(names[index + 1], forKey: Path(rawValue: "firstPart.otherPart.innerName"))
        }
      }
    }
    let rows = Rows(["a", "b", "c", "d"])
    let (encoder, foundation) = (JSONBytesEncoder(), JSONEncoder())
    let (decoder, foundationDecoder) = (JSONBytesDecoder(), JSONDecoder())
    for converts in [false, true] {
      encoder.keyEncodingStrategy = converts ? .convertToSnakeCase : .useDefaultKeys
      foundation.keyEncodingStrategy = encoder.keyEncodingStrategy
      decoder.keyDecodingStrategy = converts ? .convertFromSnakeCase : .useDefaultKeys
      foundationDecoder.keyDecodingStrategy = decoder.keyDecodingStrategy
      for document in [try encoder.encode(rows), try foundation.encode(rows)] {
        #expect(String(decoding: document, as: UTF8.self).contains("first_part") == converts)
        #expect(try decoder.decode(Rows.self, from: document) == rows)
        #expect(try foundationDecoder.decode(Rows.self, from: document) == rows)
      }
    }
  }

  /// Keys of one byte that are not an enumeration, and keys of more bytes.
  private struct ByteKey: NestedCodingKey {
    // Only one test uses it, and no task of that test.
    nonisolated(unsafe) static var paths = ["", "a.b"]
    let index: UInt8
    var rawValue: String { Self.paths[Int(index)] }
    init(rawValue: String) { index = rawValue == "a.b" ? 1 : 2 }
  }
  private struct TextKey: NestedCodingKey {
    let rawValue: String
  }

  @Test func `keys that are not an enumeration are followed by their raw values, whatever they are by then`() throws {
    struct Pair: Codable, Equatable {
      var values: [Int]
      init(from decoder: any Decoder) throws {
        let bytes = try decoder.container(keyedBy: ByteKey.self), texts = try decoder.container(keyedBy: TextKey.self)
        ByteKey.paths = ["", "a.b", "a.c"]
        let first = try bytes.decode(Int.self, forKey: ByteKey(rawValue: "a.c"))
        ByteKey.paths = ["", "a.b", "a.d"]
        values = [
          try bytes.decode(Int.self, forKey: ByteKey(rawValue: "a.b")), first,
          try bytes.decode(Int.self, forKey: ByteKey(rawValue: "a.d")),
          try texts.decode(Int.self, forKey: TextKey(rawValue: "a.b")),
        ]
      }
      func encode(to encoder: any Encoder) throws {
        var bytes = encoder.container(keyedBy: ByteKey.self)
        ByteKey.paths = ["", "a.b", "a.c"]
        try bytes.encode(values[0], forKey: ByteKey(rawValue: "a.b"))
        try bytes.encode(values[1], forKey: ByteKey(rawValue: "a.c"))
        ByteKey.paths = ["", "a.b", "a.d"]
        try bytes.encode(values[2], forKey: ByteKey(rawValue: "a.d"))
      }
    }
    let text = #"[{"a":{"b":1,"c":2,"d":3}},{"a":{"d":6,"b":4,"c":5}}]"#
    let pairs = try JSONBytesDecoder().decode([Pair].self, from: Data(text.utf8))
    #expect(pairs.map(\.values) == [[1, 2, 3, 1], [4, 5, 6, 4]])
    let encoded = String(decoding: try JSONBytesEncoder().encode(pairs), as: UTF8.self)
    #expect(encoded == #"[{"a":{"b":1,"c":2,"d":3}},{"a":{"b":4,"c":5,"d":6}}]"#)
  }

  private enum Redirected: String, NestedCodingKey {
    case sub, x, y
    case ab = "a.b", ac = "a.c", a
  }

  private struct Rewritten: Encodable {
    let write: @Sendable (any Encoder) throws -> Void
    func encode(to encoder: any Encoder) throws { try write(encoder) }
  }

  @Test(arguments: [
    Rewritten { encoder in
      func first() throws {
        var object = encoder.container(keyedBy: Redirected.self)
        var nested = object.nestedContainer(keyedBy: Redirected.self, forKey: .sub)
        try nested.encode(1, forKey: .x)
      }
      func second() throws {
        var object = encoder.container(keyedBy: Redirected.self)
        try object.encode(2, forKey: .y)
      }
      try first()
      try second()
    },
    Rewritten { encoder in
      func first() throws {
        var object = encoder.container(keyedBy: Redirected.self)
        try object.encode(1, forKey: .ab)
      }
      func second() throws {
        var plain = encoder.container(keyedBy: AnyName.self)
        var nested = plain.nestedContainer(keyedBy: Redirected.self, forKey: AnyName(stringValue: "a"))
        try nested.encode(2, forKey: .ac)
      }
      try first()
      try second()
    },
  ])
  private func `a container that is requested for another object writes into that one`(value: Rewritten) throws {
    let ours = try JSONBytesEncoder().encode(value), theirs = try JSONEncoder().encode(value)
    #expect(
      try JSONValue(parsing: String(decoding: ours, as: UTF8.self))
        == JSONValue(parsing: String(decoding: theirs, as: UTF8.self)))
  }

  private struct AnyName: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  private enum Only: String, NestedCodingKey { case text = "a.text" }

  @Test func `a decoder and an encoder that outlive their calls can be used and are freed`() throws {
    final class Kept {
      var encoder: (any Encoder)?
    }
    struct Keeper: Decodable {
      let decoder: any Decoder
      init(from decoder: any Decoder) throws { self.decoder = decoder }
    }
    let data = Data(#"{"a":{"text":"x"}}"#.utf8)
    func container() throws -> KeyedDecodingContainer<Only> {
      let keeper = try JSONBytesDecoder().decode(Keeper.self, from: data)
      #expect(try keeper.decoder.nested().decode(String.self, at: "a.text") == "x")
      return try keeper.decoder.container(keyedBy: Only.self)
    }
    #expect(try container().decode(String.self, forKey: .text) == "x")
    let kept = Kept()
    struct Lender: Encodable {
      let kept: Kept
      func encode(to encoder: any Encoder) throws {
        kept.encoder = encoder
        _ = encoder.container(keyedBy: Only.self)
      }
    }
    _ = try JSONBytesEncoder().encode(Lender(kept: kept))
    var late = try #require(kept.encoder).container(keyedBy: Only.self)
    kept.encoder = nil
    #expect(throws: EncodingError.self) { try late.encode("x", forKey: .text) }
  }

  private struct Keeper: Decodable {
    let decoder: any Decoder
    init(from decoder: any Decoder) throws { self.decoder = decoder }
  }
  private final class Lender: Encodable {
    // Each lender belongs to one turn of the loop.
    nonisolated(unsafe) var encoder: (any Encoder)?
    func encode(to encoder: any Encoder) throws {
      self.encoder = encoder
      var object = encoder.container(keyedBy: Name.CodingKeys.self)
      try object.encode(String(repeating: "n", count: 10_000), forKey: .name)
    }
  }

  @Test func `what is followed after a call leaves nothing behind either`() throws {
    let name = String(repeating: "n", count: 10_000)
    let document = Data(#"{"attributes":{"name":"\#(name)"}}"#.utf8)
    let (encoder, decoder) = (JSONBytesEncoder(), JSONBytesDecoder())
    let growth = try MemoryGrowth()
    for _ in 0..<2000 {
      let kept = try decoder.decode(Keeper.self, from: document).decoder
      #expect(try kept.nested().decode(String.self, at: "attributes.name") == name)
      #expect(try kept.container(keyedBy: Name.CodingKeys.self).decode(String.self, forKey: .name) == name)
      let lender = Lender()
      _ = try encoder.encode(lender)
      var late = try #require(lender.encoder).container(keyedBy: Name.CodingKeys.self)
      #expect(throws: EncodingError.self) { try late.encode(name, forKey: .name) }
    }
    #expect(try growth.bytes < 20_000_000)
  }

  @Test func `tasks that decode and encode by paths at the same time do not disturb each other`() async throws {
    let texts = (0..<8).map { lane in
      (0..<200).map { #"{"attributes":{"name":"\#(lane)-\#($0)"},"data":{"name":"\#($0)"}}"# }
    }
    try await withThrowingTaskGroup(of: Void.self) { group in
      let (encoder, decoder) = (JSONBytesEncoder(), JSONBytesDecoder())
      for (lane, texts) in texts.enumerated() {
        group.addTask {
          let document = Data("[\(texts.joined(separator: ","))]".utf8)
          for _ in 0..<20 {
            let names = try decoder.decode([Name].self, from: document)
            #expect(names.map(\.name) == (0..<200).map { "\(lane)-\($0)" })
            let titles = try decoder.decode([Title].self, from: encoder.encode(names))
            #expect(titles.map(\.name) == names.map(\.name))
            let lists = try decoder.decode([Linked].self, from: document)
            #expect(lists.map(\.name) == (0..<200).map(String.init))
          }
        }
      }
      try await group.waitForAll()
    }
  }
}
