import Decoding
import Foundation
import Synchronization
import Testing

/// Whatever a discriminator decodes, it encodes, and decodes to the same.
@Suite struct DiscriminatorRoundTripTests {
  enum Part: Equatable {
    case number(Typed<Int>), flag(Typed<Bool>), text(Typed<Kind>), plain(Plain), nested(Inner), path(ByPath)
    case names([String: Int]), any(JSONValue), raw(RawJSON), shape(Shape), keeping(KeepingUnknown<Plain>)
    case first(Plain2), second(Plain2), unknown(RawJSON)

    static let cases: [String: Discriminator<Part>.Case] = [
      "2": .case(Part.number), "true": .case(Part.flag), "a": .case(Part.text), "b": .case(Part.text),
      "plain": .case(Part.plain), "nested": .case(Part.nested), "path": .case(Part.path), "names": .case(Part.names),
      "any": .case(Part.any), "raw": .case(Part.raw), "shape": .case(Part.shape),
      "square": .case { Part.shape($0 as Square) },
      "keeping": .case(Part.keeping), "first": .case(Part.first), "second": .case(Part.second),
      "\u{E9}": .case(Part.first),
    ]

    static let byReflection = Discriminator<Part>("type", cases: cases, unknown: Part.unknown)
    static let byClosure = Discriminator<Part>(
      "type", cases: cases, unknown: Part.unknown,
      payload: {
        switch $0 {
        case .number(let value): value
        case .flag(let value): value
        case .text(let value): value
        case .plain(let value): value
        case .nested(let value): value
        case .path(let value): value
        case .names(let value): value
        case .any(let value): value
        case .raw(let value): value
        case .shape(let value): value
        case .keeping(let value): value
        case .first(let value), .second(let value): value
        case .unknown(let value): value
        }
      })
    static let inside = Discriminator<Part>("data.type", cases: cases, unknown: Part.unknown)
  }

  enum Kind: String, Codable { case a, b, c }
  struct Typed<Value: Codable & Equatable & Sendable>: Codable, Equatable, Sendable {
    var type: Value
    var x: Int
  }
  struct Plain: Codable, Equatable, Hashable { var x: Int }
  struct Plain2: Codable, Equatable { var x: Int }
  struct Inner: Codable, Equatable {
    struct Data: Codable, Equatable { var attributes: [String: Int] }
    var data: Data
  }
  struct ByPath: Codable, Equatable {
    var attributes: Int
    enum CodingKeys: String, NestedCodingKey { case attributes = "data.attributes" }
  }

  class Shape: Codable, Equatable, @unchecked Sendable {
    var x = 0
    static func == (left: Shape, right: Shape) -> Bool { type(of: left) == type(of: right) && left.x == right.x }
  }
  final class Square: Shape, @unchecked Sendable {}
  final class Circle: Shape, @unchecked Sendable {}

  struct Whole: Codable, Equatable {
    static let discriminator = CodingUserInfoKey(rawValue: "discriminator")!
    var part: Part
    init(_ part: Part) { self.part = part }
    init(from decoder: any Decoder) throws {
      let by = decoder.userInfo[Self.discriminator] as! Discriminator<Part>
      part = try decoder.nested().decode(at: "$", by: by)
    }
    func encode(to encoder: any Encoder) throws {
      try encoder.nested().encode(part, at: "$", by: encoder.userInfo[Self.discriminator] as! Discriminator<Part>)
    }
  }

  /// The same part, decoded by one coder and encoded and decoded again by another.
  private func check(
    _ text: String, _ discriminator: Discriminator<Part>
  ) throws {
    let (ours, foundation) = (JSONBytesDecoder(), JSONDecoder())
    let (writer, foundationWriter) = (JSONBytesEncoder(), JSONEncoder())
    ours.userInfo[Whole.discriminator] = discriminator
    foundation.userInfo[Whole.discriminator] = discriminator
    writer.userInfo[Whole.discriminator] = discriminator
    foundationWriter.userInfo[Whole.discriminator] = discriminator
    let document = Data("[\(text)]".utf8)
    let known = try ours.decode([Whole].self, from: document)
    #expect(try foundation.decode([Whole].self, from: document) == known, "\(text)")
    // Raw JSON is compared by its bytes, and Foundation's encoder has its own order.
    let isRaw =
      switch known[0].part {
      case .raw, .unknown: true
      default: false
      }
    if case .unknown = known[0].part { #expect(text.contains("new")) }
    for encoded in [try writer.encode(known), try foundationWriter.encode(known)] {
      if !isRaw {
        #expect(try ours.decode([Whole].self, from: encoded) == known, "\(text)")
        #expect(try foundation.decode([Whole].self, from: encoded) == known, "\(text)")
      }
      #expect(try ours.decode(JSONValue.self, from: encoded) == ours.decode(JSONValue.self, from: document), "\(text)")
    }
  }

  private static let texts = [
    #"{"type":2,"x":1}"#, #"{"type":true,"x":1}"#, #"{"type":"a","x":1}"#, #"{"x":1,"type":"b"}"#,
    #"{"type":"plain","x":1}"#, #"{"type":"nested","data":{"attributes":{"a":1}}}"#,
    #"{"type":"path","data":{"attributes":1}}"#, #"{"type":"any","user_name":[1,{"type":"any"}]}"#,
    #"{"type":"raw","user_name":[1]}"#, #"{"type":"shape","x":1}"#, #"{"type":"square","x":1}"#,
    #"{"type":"keeping","x":1,"unknown":[2]}"#, #"{"type":"first","x":1}"#, #"{"type":"second","x":1}"#,
    #"{"type":"new","x":1}"#,
  ]

  @Test(arguments: texts) func `a part comes back, with its member as it was`(text: String) throws {
    try check(text, Part.byReflection)
    try check(text, Part.byClosure)
  }

  @Test func `names that differ only in their Unicode form are different`() throws {
    let decoder = JSONBytesDecoder()
    decoder.userInfo[Whole.discriminator] = Part.byReflection
    for (name, isKnown) in [("\u{E9}", true), ("e\u{301}", false)] {
      let part = try decoder.decode(Whole.self, from: Data(#"{"type":"\#(name)","x":1}"#.utf8)).part
      #expect((part == .first(Plain2(x: 1))) == isKnown)
    }
  }

  @Test(arguments: [
    #"{"data":{"type":"nested","attributes":{"a":1}}}"#, #"{"data":{"attributes":1,"type":"path"}}"#,
    #"{"data":{"type":"plain"},"x":1}"#, #"{"data":{"type":"new"},"x":1}"#,
    #"{"data":{"type":"any","b":1},"x":1}"#,
  ]) func `a member inside a member comes back beside what the part has there`(text: String) throws {
    try check(text, Part.inside)
  }

  @Test func `other members of the same object can be encoded before`() throws {
    struct Mixed: Codable, Equatable {
      var id: Int
      var part: Part
      var last: String
      init(from decoder: any Decoder) throws {
        let json = try decoder.nested()
        id = try json.decode(at: "id")
        part = try json.decode(at: "$", by: Part.byReflection)
        last = try json.decode(at: "last")
      }
      func encode(to encoder: any Encoder) throws {
        let json = encoder.nested()
        try json.encode(id, at: "id")
        try json.encode(last, at: "last")
        try json.encode(part, at: "$", by: Part.byReflection)
      }
    }
    for text in [#"{"id":7,"type":"plain","x":1,"last":"z"}"#, #"{"id":7,"type":2,"x":1,"last":"z"}"#] {
      let value = try JSONBytesDecoder().decode(Mixed.self, from: Data(text.utf8))
      for encoded in [try JSONBytesEncoder().encode(value), try JSONEncoder().encode(value)] {
        #expect(try JSONBytesDecoder().decode(Mixed.self, from: encoded) == value)
      }
      #expect(try String(decoding: JSONBytesEncoder().encode(value), as: UTF8.self).hasPrefix(#"{"id":7,"#))
    }
  }

  @Test func `a member of the part's own that does not identify it is replaced`() throws {
    let encoder = JSONBytesEncoder()
    for discriminator in [Part.byReflection, Part.byClosure] {
      encoder.userInfo[Whole.discriminator] = discriminator
      let parts = [
        Whole(.text(Typed(type: .c, x: 1))), Whole(.text(Typed(type: .b, x: 1))), Whole(.number(Typed(type: 3, x: 1))),
      ]
      let text = String(decoding: try encoder.encode(parts), as: UTF8.self)
      #expect(text == #"[{"type":"a","x":1},{"type":"b","x":1},{"type":"2","x":1}]"#)
    }
  }

  @Test func `an instance of a subclass is encoded as the class that is known`() throws {
    let encoder = JSONBytesEncoder()
    let round = Circle()
    round.x = 4
    encoder.userInfo[Whole.discriminator] = Part.byReflection
    #expect(String(decoding: try encoder.encode(Whole(.shape(round))), as: UTF8.self) == #"{"type":"shape","x":4}"#)
    let square = Square()
    #expect(String(decoding: try encoder.encode(Whole(.shape(square))), as: UTF8.self) == #"{"type":"square","x":0}"#)
  }

  private struct Body: Encodable {
    let encodes: (any Encoder) throws -> Void
    func encode(to encoder: any Encoder) throws { try encodes(encoder) }
  }

  @Test func `members that are encoded twice are refused`() {
    for bodies in [
      { json in
        try json.encode(7, at: "x")
        try json.encode(.plain(Plain(x: 1)), at: "$", by: Part.byClosure)
      },
      { json in
        try json.encode(7, at: "data.type")
        try json.encode(.plain(Plain(x: 1)), at: "$", by: Part.inside)
        try json.encode(7, at: "x")
      },
      { json in
        try json.encode(.plain(Plain(x: 1)), at: "$", by: Part.byClosure)
        try json.encode(7, at: "x")
      },
    ] as [(NestedEncoder) throws -> Void] {
      let body = Body { try bodies($0.nested()) }
      #expect(throws: EncodingError.self) { try JSONBytesEncoder().encode(body) }
      #expect(throws: EncodingError.self) { try JSONEncoder().encode(body) }
    }
  }

  /// A tree of discriminated values that counts how often its leaf is encoded.
  private indirect enum Tree: Encodable {
    case node(Node), leaf(Leaf)
    static let by = Discriminator<Tree>("op", cases: ["node": .case(Tree.node), "leaf": .case(Tree.leaf)])

    struct Node: Codable, Sendable {
      var child: Tree
      init(_ child: Tree) { self.child = child }
      init(from decoder: any Decoder) throws { throw CocoaError(.coderReadCorrupt) }
      func encode(to encoder: any Encoder) throws { try encoder.nested().encode(child, at: "child", by: Tree.by) }
    }
    struct Leaf: Codable, Sendable {
      static let encodings = Counter()
      var value: Double
      func encode(to encoder: any Encoder) throws {
        Self.encodings.value.withLock { $0 += 1 }
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(value, forKey: .value)
      }
    }
    func encode(to encoder: any Encoder) throws { try encoder.nested().encode(self, at: "$", by: Tree.by) }
  }

  final class Counter: Sendable { let value = Mutex(0) }

  @Test func `an error in a nested part is thrown at once`() {
    var tree = Tree.leaf(Tree.Leaf(value: .nan))
    for _ in 0..<20 { tree = .node(Tree.Node(tree)) }
    Tree.Leaf.encodings.value.withLock { $0 = 0 }
    #expect(throws: EncodingError.self) { try JSONBytesEncoder().encode(tree) }
    #expect(Tree.Leaf.encodings.value.withLock { $0 } == 1)
  }

  @Test func `a part that is not an object is refused, even if it is empty`() {
    struct List: Codable, Equatable {
      init(from: any Decoder) throws {}; init() {}
      func encode(to encoder: any Encoder) throws { _ = encoder.unkeyedContainer() }
    }
    let by = Discriminator<List>("type", ["list": List.self])
    let body = Body { try $0.nested().encode(List(), at: "$", by: by) }
    #expect(throws: EncodingError.self) { try JSONBytesEncoder().encode(body) }
  }

  @Test func `an encoder that accepts nothing more refuses a part`() {
    let body = Body { encoder in
      enum Key: String, CodingKey { case a, b }
      var container = encoder.container(keyedBy: Key.self)
      try container.encode(
        Body { [container] _ in
          var container = container
          try container.superEncoder(forKey: .b).nested().encode(.plain(Plain(x: 1)), at: "$", by: Part.byClosure)
        }, forKey: .a)
    }
    #expect(throws: EncodingError.self) { try JSONBytesEncoder().encode(body) }
  }

  @Test func `a member that could not be encoded again is replaced`() throws {
    struct Odd: Codable {
      enum Key: String, CodingKey { case type, x }
      init() {}
      init(from: any Decoder) throws {}
      func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        #expect(throws: EncodingError.self) { try container.encode(Double.nan, forKey: .type) }
        try container.encode("long enough to be there", forKey: .x)
      }
    }
    let by = Discriminator<Odd>("type", ["odd": Odd.self])
    let body = Body { try $0.nested().encode(Odd(), at: "$", by: by) }
    let value = try JSONBytesDecoder().decode(JSONValue.self, from: JSONBytesEncoder().encode(body))
    #expect(value == ["type": "odd", "x": "long enough to be there"])
  }

  @Test func `a part comes back under a key strategy`() throws {
    struct Wide: Codable, Equatable, Sendable {
      var mediaType: Int?
      var pixelWidth: Int
    }
    let by = Discriminator<Wide>("mediaType", ["1": Wide.self])
    struct Box: Codable, Equatable {
      static let by = CodingUserInfoKey(rawValue: "by")!
      var wide: Wide
      init(_ wide: Wide) { self.wide = wide }
      init(from decoder: any Decoder) throws {
        wide = try decoder.nested().decode(at: "$", by: decoder.userInfo[Self.by] as! Discriminator<Wide>)
      }
      func encode(to encoder: any Encoder) throws {
        try encoder.nested().encode(wide, at: "$", by: encoder.userInfo[Self.by] as! Discriminator<Wide>)
      }
    }
    let (encoder, foundation) = (JSONBytesEncoder(), JSONEncoder())
    let decoder = JSONBytesDecoder()
    (encoder.userInfo[Box.by], foundation.userInfo[Box.by], decoder.userInfo[Box.by]) = (by, by, by)
    encoder.keyEncodingStrategy = .convertToSnakeCase
    foundation.keyEncodingStrategy = .convertToSnakeCase
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    for (wide, text) in [
      (Wide(mediaType: 1, pixelWidth: 3), #"{"media_type":1,"pixel_width":3}"#),
      (Wide(mediaType: 2, pixelWidth: 3), #"{"media_type":"1","pixel_width":3}"#),
      (Wide(mediaType: nil, pixelWidth: 3), #"{"media_type":"1","pixel_width":3}"#),
    ] {
      for document in [try encoder.encode(Box(wide)), try foundation.encode(Box(wide))] {
        #expect(
          try JSONBytesDecoder().decode(JSONValue.self, from: document)
            == JSONBytesDecoder().decode(JSONValue.self, from: Data(text.utf8)))
      }
    }
    let box = Box(Wide(mediaType: 1, pixelWidth: 3))
    #expect(try decoder.decode(Box.self, from: encoder.encode(box)) == box)
  }
}
