import Decoding
import Foundation
import Testing

/// Every message in one place, as a reader of a log sees it.
@Suite struct MessageTests {
  enum Role: String, Decodable, CaseIterable { case admin, user, guest }
  enum Level: Int, Decodable { case low = 1, high }
  enum Key: String, CodingKeyRepresentable, Decodable { case low, high }
  enum Shape: Decodable { case circle(radius: Int), point }

  struct Person: Decodable {
    var name: String
    var age: UInt8
    var role: Role?
    var tags: [String]?
  }

  struct One<Value: Decodable>: Decodable { var value: Value }
  struct Snake<Value: Decodable>: Decodable { var itemCount: Value }

  struct Nested<Value: Decodable>: Decodable {
    init(from decoder: any Decoder) throws { _ = try decoder.nested().decode(Value.self, at: "a.b") }
  }

  struct Numbered: Decodable {
    struct Zone: Decodable {
      var zone: Int
      var offset: Int
      enum CodingKeys: Int, CodingKey { case zone, offset }
    }
    var tz: Zone
  }

  struct Paths: Decodable {
    var pages: Int
    enum CodingKeys: String, NestedCodingKey { case pages = "volume_info.page_count" }
  }

  struct Converted: Decodable {
    var pages: Int
    enum CodingKeys: String, NestedCodingKey { case pages = "volumeInfo.page_count" }
  }

  struct Filtered: Decodable {
    init(from decoder: any Decoder) throws {
      _ = try decoder.nested().decode(String.self, at: "ids[?@.type=='ISBN_13'].id")
    }
  }

  struct Released: Decodable {
    init(from decoder: any Decoder) throws {
      _ = try decoder.nested().decode(at: "released", as: .date(format: "yyyy-MM-dd"))
    }
  }

  struct Pages: Decodable {
    init(from decoder: any Decoder) throws { _ = try decoder.nested().decode(at: "pages", as: .numberOrString) as Int }
  }

  struct OddCount: Error {}

  struct Pair: Decodable {
    init(from decoder: any Decoder) throws {
      var container = try decoder.unkeyedContainer()
      _ = try container.decode(Int.self)
      guard !container.isAtEnd else { throw OddCount() }
      _ = try container.decode(Int.self)
    }
  }

  struct Refusing: Decodable {
    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "hunter2 is not it")
    }
  }

  /// Has the name that Foundation's own error has.
  struct JSONError: Error {}

  struct Misleading: Decodable { init(from decoder: any Decoder) throws { throw JSONError() } }

  @Test(arguments: malformed + kinds + names + invalid + strategies + paths + thrown)
  func `each broken input has exactly its message in the table`(input: BrokenInput) throws {
    let error = try #require(input.decode(Data(input.text.utf8)))
    #expect("\(error)" == input.message)
  }

  @Test func `no error message contains a value of the document`() {
    for input in Self.kinds + Self.invalid + Self.strategies + Self.thrown {
      for value in ["owner", "today", "many", "1-2", "300", "hunter2"] where input.text.contains(value) {
        #expect(!input.message.contains(value))
      }
    }
  }
}
