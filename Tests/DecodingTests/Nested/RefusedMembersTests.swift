import Foundation
import Testing

@testable import Decoding

/// Members that have no place: what was written there stays, and the caller gets the reason.
@Suite struct RefusedMembersTests {
  struct Encoding: Encodable {
    var body: @Sendable (NestedEncoder) throws -> Void
    func encode(to encoder: any Encoder) throws { try body(encoder.nested()) }
  }

  /// Opens a container under `kind` and does something with it.
  struct Opening: Codable {
    var body: @Sendable (inout KeyedEncodingContainer<AnyKey>) throws -> Void

    init(_ body: @escaping @Sendable (inout KeyedEncodingContainer<AnyKey>) throws -> Void) { self.body = body }
    init(from decoder: any Decoder) throws { self.init { _ in } }

    func encode(to encoder: any Encoder) throws {
      var members = encoder.container(keyedBy: AnyKey.self)
      try body(&members)
    }
  }

  struct Empty: Encodable {
    func encode(to encoder: any Encoder) throws { _ = encoder.container(keyedBy: AnyKey.self) }
  }

  private static let kind = AnyKey(stringValue: "kind")

  static let openings: [Opening] = [
    Opening { _ = $0.nestedContainer(keyedBy: AnyKey.self, forKey: kind) },
    Opening { _ = $0.nestedUnkeyedContainer(forKey: kind) },
    Opening { _ = $0.superEncoder(forKey: kind) },
    Opening {
      var nested = $0.nestedContainer(keyedBy: AnyKey.self, forKey: kind)
      _ = nested.nestedContainer(keyedBy: AnyKey.self, forKey: kind)
    },
    Opening {
      var nested = $0.nestedContainer(keyedBy: AnyKey.self, forKey: kind)
      try nested.encode(1, forKey: kind)
      try nested.encodeNil(forKey: kind)
    },
    Opening {
      var nested = $0.nestedUnkeyedContainer(forKey: kind)
      try nested.encode(1)
      var inner = nested.nestedContainer(keyedBy: AnyKey.self)
      try 1.encode(to: inner.superEncoder())
    },
  ]

  @Test(arguments: openings.indices) func `merging members where a value exists is an error, even if none is written`(
    index: Int
  ) throws {
    let encoding = Encoding {
      try $0.encode(1, at: "kind")
      try $0.encodeMembers(of: Self.openings[index])
    }
    for encode in [JSONBytesEncoder().encode, { try JSONEncoder().encode($0) }] as [(Encoding) throws -> Data] {
      let error = try #require(throws: EncodingError.self) { try encode(encoding) }
      guard case .invalidValue(_, let context) = error else { return }
      #expect(context.debugDescription == "A value has already been encoded here.")
      #expect(context.codingPath.map(\.stringValue) == ["kind"])
    }
  }

  @Test func `merging the members of a value that is not an object is an error`() {
    let bodies: [@Sendable (NestedEncoder) throws -> Void] = [
      { try $0.encodeMembers(of: [Int]()) },
      {
        try $0.encode(1, at: "[0]")
        try $0.encodeMembers(of: Empty())
      },
      {
        try $0.encode(1, at: "$")
        try $0.encodeMembers(of: Empty())
      },
    ]
    for (index, body) in bodies.enumerated() {
      #expect(throws: EncodingError.self, "\(index)") { try JSONEncoder().encode([Encoding(body: body)]) }
    }
  }

  @Test(arguments: openings.indices)
  func `a value's own member with the discriminator's name is omitted, however it is encoded`(
    index: Int
  ) throws {
    let byKind = Discriminator<Opening>("kind", ["opening": Opening.self])
    let encoding = Encoding { try $0.encode(Self.openings[index], at: "x", by: byKind) }
    #expect(try encoding.encoded == ["x": ["kind": "opening"]])
  }

  @Test func `the error for merging a value that is not an object names its type`() throws {
    let error = try #require(throws: EncodingError.self) { try Encoding { try $0.encodeMembers(of: 7) }.encoded }
    guard case .invalidValue(_, let context) = error else { return }
    #expect(context.debugDescription == "Expected a value that is encoded as an object, found Int.")
  }

  @Test func `the error for unknown members names the unknown and the known members`() throws {
    struct Order: Decodable { var id: Int, name: String? }
    let failure = try #require(throws: LocatedDecodingError.self) {
      try JSONBytesDecoder().decode([RefusingUnknown<Order>].self, from: Data(#"[{"id":1,"b":2,"a":3}]"#.utf8))
    }
    #expect("\(failure)".hasPrefix("$[0]['a']: expected no members other than `id`, `name`, found `a`, `b` at line 1"))
    let error = failure.underlyingError.flatMap { ($0 as? DecodingError)?.underlying } as? UnknownMembersError
    #expect(error?.known == ["id", "name"] && error?.names == ["a", "b"])
    #expect(error?.description == "expected no members other than `id`, `name`, found `a`, `b`")
    let many = UnknownMembersError(names: (10..<40).map { "\($0)" }, known: [])
    #expect(many.description.hasPrefix("expected no members, found `10`, ") && many.description.hasSuffix("`21`, …"))
  }
}
