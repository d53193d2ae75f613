import Foundation
import Testing

@testable import Decoding

@Suite struct MembersTests {
  struct Address: Codable, Equatable {
    var street: String
    var zip: Int?
  }

  /// Alternative names, members of another type next to its own, and the rest.
  struct Person: Codable, Equatable {
    var name: String
    var age: Int?
    var address: Address
    var others: JSONObject

    init(from decoder: any Decoder) throws {
      let decoder = decoder.recordingMembers()
      let json = try decoder.nested()
      name = try json.decode(atFirstOf: ["name", "fullName", "old.name"])
      age = try json.decodeIfPresent(atFirstOf: ["age", "years"], as: .numberOrString)
      address = try json.decodeIfPresent(at: "address") ?? json.decode(at: "$")
      others = try decoder.unknownMembers()
    }

    func encode(to encoder: any Encoder) throws {
      let json = encoder.nested()
      try json.encode(name, atFirstOf: ["name", "fullName", "old.name"])
      try json.encodeIfPresent(age, atFirstOf: ["age", "years"])
      try json.encodeMembers(of: address)
      try json.encodeMembers(of: others)
    }
  }

  @Test(arguments: TestedDecoder.all) func `the first of several names with a value is used, and null is skipped`(
    decoder: TestedDecoder
  ) throws {
    struct Named: Decodable {
      var name: String
      var nick: String?
      init(from decoder: any Decoder) throws {
        let json = try decoder.nested()
        name = try json.decode(atFirstOf: ["name", "title", "old.name"])
        nick = try json.decodeIfPresent(atFirstOf: ["nick", "alias"])
      }
    }
    #expect(try decoder.decode(Named.self, #"{"name":"a","title":"b"}"#).name == "a")
    #expect(try decoder.decode(Named.self, #"{"name":null,"title":"b","nick":null,"alias":"c"}"#).nick == "c")
    #expect(try decoder.decode(Named.self, #"{"title":null,"old":{"name":"c"}}"#).name == "c")
    #expect(throws: (any Error).self) { try decoder.decode(Named.self, #"{"name":1,"title":"b"}"#) }
    let error = #expect(throws: (any Error).self) { try decoder.decode(Named.self, #"{"old":null}"#) }
    guard case .keyNotFound(let key, _)? = error?.asDecodingError else {
      Issue.record("\(error as Any)")
      return
    }
    #expect(key.stringValue == "name")
  }

  @Test(arguments: TestedDecoder.all) func `decoding at the first of no paths is an error`(
    decoder: TestedDecoder
  ) throws {
    struct Unnamed: Decodable {
      init(from decoder: any Decoder) throws {
        let json = try decoder.nested()
        #expect(try json.decodeIfPresent(Int.self, atFirstOf: []) == nil)
        #expect(try json.decodeIfPresent(atFirstOf: [], as: .numberOrString) as Int? == nil)
        #expect(throws: DecodingError.self) { try json.decode(atFirstOf: [], as: .numberOrString) as Int }
        _ = try json.decode([String: Int].self, atFirstOf: [])
      }
    }
    let error = try #require(throws: (any Error).self) { try decoder.decode(Unnamed.self, #"{"a":1}"#) }
    #expect("\(error)".contains("at least one path is needed"))
    #expect(throws: EncodingError.self) { try Encoding { try $0.encode(1, atFirstOf: []) }.encoded }
    #expect(throws: EncodingError.self) { try Encoding { try $0.encodeIfPresent(1, atFirstOf: []) }.encoded }
  }

  struct Flat: Codable, Equatable {
    var title: String
    var address: Address

    init(from decoder: any Decoder) throws {
      let json = try decoder.nested()
      title = try json.decode(at: "title")
      address = try json.decode(at: "$")
    }

    func encode(to encoder: any Encoder) throws {
      let json = encoder.nested()
      try json.encode(title, at: "title")
      try json.encodeMembers(of: address)
    }
  }

  @Test(arguments: TestedDecoder.all) func `merged members of another type are next to the type's own`(
    decoder: TestedDecoder
  ) throws {
    let flat = try decoder.decode([Flat].self, #"[{"title":"t","street":"s","zip":7}]"#)
    #expect(flat[0].address == Address(street: "s", zip: 7))
    #expect(try flat.encoded == [["title": "t", "street": "s", "zip": 7]])
    #expect(try PropertyListDecoder().decode([Flat].self, from: PropertyListEncoder().encode(flat)) == flat)
  }

  struct Encoding: Encodable {
    var body: @Sendable (NestedEncoder) throws -> Void
    func encode(to encoder: any Encoder) throws { try body(encoder.nested()) }
  }

  /// Encodes through every kind of container.
  struct Containers: Encodable {
    func encode(to encoder: any Encoder) throws {
      var members = encoder.container(keyedBy: AnyKey.self)
      try members.encodeNil(forKey: AnyKey(stringValue: "nil"))
      var nested = members.nestedContainer(keyedBy: AnyKey.self, forKey: AnyKey(stringValue: "nested"))
      try nested.encode(1.5, forKey: AnyKey(stringValue: "a"))
      var list = members.nestedUnkeyedContainer(forKey: AnyKey(stringValue: "list"))
      try list.encode(true)
      try "s".encode(to: members.superEncoder())
      try UInt8(3).encode(to: members.superEncoder(forKey: AnyKey(stringValue: "b")))
      try Date(timeIntervalSinceReferenceDate: 0).encode(to: members.superEncoder(forKey: AnyKey(stringValue: "c")))
    }
  }

  @Test func `every kind of container can be merged`() throws {
    let encoding = Encoding {
      try $0.encode(0, at: "first")
      try $0.encodeMembers(of: Containers())
      try $0.encodeMembers(of: ["x": [1], "y": nil] as [String: [Int]?])
      try $0.encodeMembers(of: Optional(Address(street: "s")))
    }
    #expect(
      try encoding.encoded == [
        "first": 0, "nil": .null, "nested": ["a": 1.5], "list": [true], "super": "s", "b": 3, "c": 0, "x": [1],
        "y": .null,
        "street": "s",
      ])
  }

  @Test func `the encoder's strategies apply to merged members`() throws {
    struct Dated: Encodable {
      var startDate = Date(timeIntervalSince1970: 1)
    }
    let encoder = JSONEncoder()
    encoder.dateEncodingStrategy = .secondsSince1970
    encoder.keyEncodingStrategy = .convertToSnakeCase
    let data = try encoder.encode(Encoding { try $0.encodeMembers(of: Dated()) })
    #expect(String(decoding: data, as: UTF8.self) == #"{"start_date":1}"#)
  }

  @Test func `merging a non-object or an existing member is an error and does not crash`() {
    let bodies: [@Sendable (NestedEncoder) throws -> Void] = [
      { try $0.encodeMembers(of: 1) }, { try $0.encodeMembers(of: [1]) }, { try $0.encodeMembers(of: [[1]]) },
      { try $0.encodeMembers(of: Date()) }, { try $0.encodeMembers(of: nil as Int?) },
      { try $0.encodeMembers(of: [["a": 1]]) },
      {
        try $0.encode(1, at: "street")
        try $0.encodeMembers(of: Address(street: "s"))
      },
      {
        try $0.encode(1, at: "nested.a")
        try $0.encodeMembers(of: Containers())
      },
      {
        try $0.encode(1, at: "list")
        try $0.encodeMembers(of: Containers())
      },
      {
        try $0.encode(1, at: "b")
        try $0.encodeMembers(of: Containers())
      },
      {
        try $0.encode(1, at: "[0]")
        try $0.encodeMembers(of: Address(street: "s"))
      },
      {
        try $0.encode(1, at: "$")
        try $0.encodeMembers(of: Address(street: "s"))
      },
    ]
    for (index, body) in bodies.enumerated() {
      #expect(throws: EncodingError.self, "\(index)") { try JSONEncoder().encode([Encoding(body: body)]) }
    }
  }

  @Test(arguments: TestedDecoder.all) func `unread members are kept and written back`(
    decoder: TestedDecoder
  ) throws {
    let text = #"{"fullName":"n","years":"7","address":{"street":"s"},"x":{"y":[1.5]},"z":null}"#
    let person = try decoder.decode(Person.self, text)
    #expect(person.name == "n" && person.age == 7 && person.address.street == "s")
    #expect(person.others == ["x": ["y": [1.5]], "z": .null])
    #expect(try person.encoded == ["name": "n", "age": 7, "street": "s", "x": ["y": [1.5]], "z": .null])
    let flat = try decoder.decode(Person.self, person.encoded.description)
    #expect(flat == person)
  }

  struct Order: Codable, Equatable {
    var id: Int
    var address: Address?
  }

  struct Wrapped: Codable, Equatable {
    @RefusingUnknown var order: Order
    @RefusingUnknown var other: Order?
    @KeepingUnknown var kept: Order?
  }

  @Test(arguments: TestedDecoder.all) func `wrappers refuse or keep members that a synthesized type does not read`(
    decoder: TestedDecoder
  ) throws {
    let text = #"{"order":{"id":1,"address":{"street":"s","more":1}},"kept":{"id":2,"a":[],"b":{}},"more":1}"#
    let wrapped = try decoder.decode(Wrapped.self, text)
    #expect(wrapped.order.id == 1 && wrapped.other == nil && wrapped.$kept == ["a": [], "b": [:]])
    #expect(
      try wrapped.encoded == ["order": ["id": 1, "address": ["street": "s"]], "kept": ["id": 2, "a": [], "b": [:]]])
    for (text, path) in [
      (#"{"order":{"id":1,"b":2,"a":1}}"#, "order.a"), (#"{"order":{"id":1},"other":{"x":1,"id":1}}"#, "other.x"),
    ] {
      let error = try #require(throws: (any Error).self) { try decoder.decode(Wrapped.self, text) }
      #expect((error.underlying as? UnknownMembersError)?.names.isEmpty == false)
      guard case .dataCorrupted(let context)? = error.asDecodingError else { continue }
      #expect(JSONPath(codingPath: context.codingPath) == (try JSONPath(parsing: path)))
    }
    #expect(try decoder.decode(Wrapped.self, #"{"order":{"id":1},"other":null,"kept":null}"#).kept == nil)
    let top = try decoder.decode(KeepingUnknown<Order>.self, #"{"id":1,"x":2}"#)
    #expect(top.wrappedValue.id == 1 && top.projectedValue == ["x": 2])
    #expect(try decoder.decode([RefusingUnknown<[String: Int]>].self, #"[{"a":1}]"#)[0].wrappedValue == ["a": 1])
    #expect(throws: (any Error).self) { try decoder.decode([RefusingUnknown<Order>].self, #"[{"id":1,"x":1}]"#) }
  }

  @Test(arguments: TestedDecoder.all) func `a member counts as known however it was requested`(decoder: TestedDecoder)
    throws
  {
    struct Asking: Decodable {
      var unknown: [String]
      init(from decoder: any Decoder) throws {
        let decoder = decoder.recordingMembers()
        let members = try decoder.container(keyedBy: AnyKey.self)
        func key(_ name: String) -> AnyKey { AnyKey(stringValue: name) }
        _ = members.contains(key("a"))
        _ = try members.decodeNil(forKey: key("b"))
        _ = try members.decodeIfPresent(Int.self, forKey: key("c"))
        _ = try members.nestedContainer(keyedBy: AnyKey.self, forKey: key("d"))
        _ = try members.nestedUnkeyedContainer(forKey: key("e"))
        _ = try members.superDecoder(forKey: key("f"))
        _ = try members.superDecoder()
        _ = try members.decode([String].self, forKey: key("g"))
        _ = try members.decode(UInt8.self, forKey: key("h"))
        unknown = try decoder.unknownMembers().names.sorted()
      }
    }
    let text = #"{"a":1,"b":1,"c":1,"d":{},"e":[],"f":1,"super":1,"g":[],"h":1,"i":1,"é":[2]}"#
    #expect(try decoder.decode(Asking.self, text).unknown == ["i", "é"])
  }
}
