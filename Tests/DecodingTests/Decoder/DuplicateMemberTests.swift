import Decoding
import Foundation
import Testing

/// Of members with the same name the first one counts, and the others are as if they were not there.
@Suite struct DuplicateMemberTests {
  func decode<T: Decodable>(_ type: T.Type, _ text: String) throws -> T {
    try JSONBytesDecoder().decode(type, from: Data(text.utf8))
  }

  @Test func `a duplicate member may have another type than the first`() throws {
    #expect(try decode([String: Int].self, #"{"a":1,"b":2,"a":"x"}"#) == ["a": 1, "b": 2])
    #expect(try decode([String: String].self, #"{"a":"x","a":null}"#) == ["a": "x"])
    #expect(try decode([String: [Int]].self, #"{"a":[1],"a":{},"\u0061":["x"]}"#) == ["a": [1]])
    #expect(try decode([String: Int?].self, #"{"a":null,"a":"x"}"#) == ["a": nil])
    struct Item: Decodable, Equatable { let id: Int }
    #expect(try decode([String: Item].self, #"{"a":{"id":1},"a":{"id":"x"}}"#) == ["a": Item(id: 1)])
  }

  @Test func `a duplicate member must be valid JSON`() {
    for text in [#"{"a":1,"a":tru}"#, #"{"a":1,"a":["#, #"{"a":1,"a":}"#] {
      let failure = #expect(throws: LocatedDecodingError.self) { try decode([String: Int].self, text) }
      #expect(failure?.kind == .malformed)
    }
  }

  @Test func `an error about duplicate members never names the same type as found and expected`() throws {
    let decoder = JSONBytesDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    struct Item: Decodable { let firstName: [Int] }
    let failure = #expect(throws: LocatedDecodingError.self) {
      try decoder.decode(Item.self, from: Data(#"{"first_name":"x","firstName":[]}"#.utf8))
    }
    #expect(failure?.description.contains("$['first_name']: expected an array, found a string") == true)
  }

  @Test(arguments: [#"{"fullName":"a"}"#, #"{"fullName":"a","name":"b"}"#, #"{"name":"a","fullName":"b"}"#])
  func `of the names that a key strategy replaces by one, the first in the document counts`(text: String) throws {
    struct Person: Decodable { let name: String }
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .custom {
      $0.last?.stringValue == "fullName" ? AnyValue.Key(stringValue: "name") : $0[$0.count - 1]
    }
    #expect(try decoder.decode(Person.self, from: Data(text.utf8)).name == "a")
    #expect(try JSONBytesDecoder(like: decoder).decode(Person.self, from: Data(text.utf8)).name == "a")
  }
}
