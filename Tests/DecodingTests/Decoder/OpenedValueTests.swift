import Decoding
import Foundation
import Testing

/// A value that was opened already is decoded whole, whatever was read of it before.
@Suite struct OpenedValueTests {
  /// Decodes by the closure in the decoder's `userInfo`.
  struct Opened: Decodable {
    let value: [String: String]

    init(from decoder: any Decoder) throws {
      let key = try #require(CodingUserInfoKey(rawValue: "body"))
      let body = try #require(decoder.userInfo[key] as? @Sendable (any Decoder) throws -> [String: String])
      value = try body(decoder)
    }
  }

  private func check(
    _ text: String, _ body: @escaping @Sendable (any Decoder) throws -> [String: String],
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let key = try #require(CodingUserInfoKey(rawValue: "body"))
    let theirs = JSONDecoder()
    theirs.userInfo = [key: body]
    let ours = JSONBytesDecoder()
    ours.userInfo = [key: body]
    let expected = try theirs.decode(Opened.self, from: Data(text.utf8)).value
    #expect(!expected.isEmpty)
    #expect(try ours.decode(Opened.self, from: Data(text.utf8)).value == expected, sourceLocation: sourceLocation)
    // The same for a value further in, whose node is not the document's.
    let inner = try ours.decode([String: [Opened]].self, from: Data(#"{"in":[\#(text),\#(text)]}"#.utf8))
    #expect(inner["in"]?.map(\.value) == [expected, expected], sourceLocation: sourceLocation)
  }

  private static let cat = #"{"id":"7","type":"cat","name":"Tom"}"#

  @Test func `a dictionary decoded after a discriminator has all members`() throws {
    try check(Self.cat) { decoder in
      _ = try decoder.container(keyedBy: AnyValue.Key.self).decode(String.self, forKey: .init(stringValue: "type"))
      return try decoder.singleValueContainer().decode([String: String].self)
    }
  }

  @Test func `a dictionary decoded after a failed attempt as another type has all members`() throws {
    try check(Self.cat) { decoder in
      let container = try decoder.singleValueContainer()
      _ = try? container.decode([String: Int].self)
      _ = try? container.decode([String: [Int]].self)
      return try container.decode([String: String].self)
    }
  }

  @Test func `a dictionary decoded twice is the same`() throws {
    try check(Self.cat) { decoder in
      let container = try decoder.singleValueContainer()
      let first = try container.decode([String: String].self)
      let second = try container.decode([String: String].self)
      #expect(first == second)
      return second
    }
  }

  @Test func `a dictionary decoded after a missing member has all members`() throws {
    try check(Self.cat) { decoder in
      let members = try decoder.container(keyedBy: AnyValue.Key.self)
      _ = try members.decodeIfPresent(String.self, forKey: .init(stringValue: "none"))
      return try decoder.singleValueContainer().decode([String: String].self)
    }
  }

  @Test func `members are found after a dictionary has been decoded`() throws {
    try check(Self.cat) { decoder in
      let members = try decoder.container(keyedBy: AnyValue.Key.self)
      let all = try decoder.singleValueContainer().decode([String: String].self)
      let key = AnyValue.Key(stringValue: "id")
      #expect(members.contains(key))
      let again = try decoder.container(keyedBy: AnyValue.Key.self)
      return ["kept": try members.decode(String.self, forKey: key), "new": try again.decode(String.self, forKey: key)]
        .merging(all) { first, _ in first }
    }
  }

  @Test func `a dictionary from a super decoder with an open container has all members`() throws {
    try check(#"{"pet":\#(Self.cat)}"#) { decoder in
      let pet = try decoder.container(keyedBy: AnyValue.Key.self).superDecoder(forKey: .init(stringValue: "pet"))
      _ = try pet.container(keyedBy: AnyValue.Key.self).decode(String.self, forKey: .init(stringValue: "type"))
      return try pet.singleValueContainer().decode([String: String].self)
    }
  }

  @Test func `nested decoding of a whole value has all its members`() throws {
    try check(Self.cat) { decoder in
      let json = try decoder.nested()
      _ = try json.decode(String.self, at: "type")
      return try json.decode([String: String].self, at: "$")
    }
  }

  @Test func `nested decoding of the elements that a filter selects has all their members`() throws {
    try check(#"[{"x":"1","y":"2"},{"x":"","y":"3"},{"x":"4","y":"5"}]"#) { decoder in
      let json = try decoder.nested()
      let selected = try json.decodeAll([String: String].self, at: "$[?@.x>'0']")
      return Dictionary(uniqueKeysWithValues: selected.enumerated().map { ("\($0)", "\($1.sorted { $0 < $1 })") })
    }
  }
}
