import Decoding
import Foundation
import Testing

@Suite struct WrapperTests {
  struct Item: Codable, Equatable {
    @SecondsSince1970 var created: Date
    @SecondsSince1970 var changed: Date?
    @JoinedString var authors: String?
    @NumberInString var pages: Int
    @NumberInString var price: Double?
    @Default<DefaultValue.Zero> var retries: Int
    @Default<DefaultValue.EmptyString> var note: String
    @Default<DefaultValue.True> var isOn: Bool
    @Default<DefaultValue.EmptyArray> var tags: [String]
  }

  func decode(_ text: String) throws -> Item { try JSONDecoder().decode(Item.self, from: Data(text.utf8)) }

  @Test func `each wrapper reads its own format`() throws {
    let item = try decode(
      #"""
      {"created": 1.5, "changed": 2, "authors": ["A", "B"], "pages": "312", "price": 9.5, "retries": 3, "note": "n",
       "isOn": false, "tags": ["x"]}
      """#)
    #expect(item.created == Date(timeIntervalSince1970: 1.5))
    #expect(item.changed == Date(timeIntervalSince1970: 2))
    #expect(item.authors == "A, B")
    #expect(item.pages == 312)
    #expect(item.price == 9.5)
    #expect(item.retries == 3 && item.note == "n" && !item.isOn && item.tags == ["x"])
    #expect(try JSONDecoder().decode(Item.self, from: JSONEncoder().encode(item)) == item)
  }

  @Test(arguments: [
    #"{"created": 1, "pages": 7}"#,
    #"""
    {"created": 1, "pages": 7, "changed": null, "authors": null, "price": null, "retries": null, "note": null,
     "isOn": null, "tags": null}
    """#,
  ])
  func `missing and null are nil or the default for the wrappers`(text: String) throws {
    let item = try decode(text)
    #expect(item.changed == nil && item.authors == nil && item.price == nil)
    #expect(item.retries == 0 && item.note == "" && item.isOn && item.tags == [])
    let keys = try JSONDecoder().decode([String: NestedCodingKeyTests.Ignored].self, from: JSONEncoder().encode(item))
      .keys
    #expect(keys.sorted() == ["created", "isOn", "note", "pages", "retries", "tags"])
  }

  @Test(arguments: [
    #"{"pages": 7}"#, #"{"created": null, "pages": 7}"#, #"{"created": 1}"#, #"{"created": 1, "pages": "x"}"#,
    #"{"created": "x", "pages": 1}"#, #"{"created": 1, "pages": 1, "retries": "3"}"#,
    #"{"created": 1, "pages": 1, "authors": [1]}"#, #"{"created": 1, "pages": 1, "tags": {}}"#,
  ])
  func `missing required and invalid values throw for the wrappers`(text: String) {
    #expect(throws: DecodingError.self) { try decode(text) }
  }

  @Test func `each default wrapper has its value`() throws {
    struct Defaults: Decodable {
      @Default<DefaultValue.False> var off: Bool
      @Default<DefaultValue.EmptyDictionary> var map: [String: Int]
      @Default<DefaultValue.Zero> var number: Double
    }
    let defaults = try JSONDecoder().decode(Defaults.self, from: Data("{}".utf8))
    #expect(!defaults.off && defaults.map.isEmpty && defaults.number == 0)
  }
}
