import Decoding
import Foundation
import Testing

/// What `nested()` reads straight from the bytes must be what any decoder's containers give.
@Suite struct FastPathNavigatorTests {
  let text = #"""
    {"z": 1, "info": {"title": "Ruby", "title": "second", "n\u0061me": "esc", "pages": 3, "price": 1.5, "free": true,
      "none": null, "list": [{"type": "A", "id": "a"}, 7, null, {"type": "B"}, {"ty\u0070e": "\u0042", "id": "b"},
      {"type": "B", "id": "c", "deep": {"x": [5, {"y": "end"}]}}], "empty": {}, "text": "x"},
     "rows": [{"v": 1}, {"v": 2}, null], "last": "l"}
    """#

  @Test(arguments: [
    "z", "info.title", "info.name", "info.pages", "info.price", "info.free", "info.none", "info.none.x",
    "info.empty.x",
    "info.text.x", "info.list", "info.list.x", "info.nope", "nope.x", "rows[0].v", "rows[1].v", "rows[2].v",
    "rows[3].v",
    "rows[-2].v", "rows.v", "info[0]", "last", "info.list[?@.type=='A'].id", "info.list[?@.type=='B'].id",
    "info.list[?'B'==@.type].deep.x", "info.list[?@.type=='B'].deep.x[1].y", "info.list[?@.type=='C'].id",
    "info.list[?@.type=='B'].type", "info.list[?@.id=='c'].deep.x[0]",
    "info.list[?@.type=='B'].deep.x[-1].y", "info.text[?@.a=='b'].c", "info[?@.a=='b'].c",
    "info.none[?@.a=='b'].c", "nope[?@.a=='b'].c", "info.list[?@.type=='B'].id.x", "info.list[?@.type!='A'].id",
  ])
  func `a path gives the same result in both decoders, alone and after others`(path: String) throws {
    let path = try JSONPath(parsing: path)
    for others: [JSONPath] in [[], ["last", "info.text"], ["info.list[?@.type=='B'].id", "rows[1].v", "z"]] {
      func probe<T>(_ body: (NestedDecoder) throws -> T) throws -> T {
        try Probe.json(text) { json in
          for other in others { _ = json.field(String.self, at: other) }
          return try body(json)
        }
      }
      // Whether they agree is asked by the probe; what they throw is theirs.
      _ = try? probe { try $0.decode(String.self, at: path) }
      _ = try? probe { try $0.decode(Int.self, at: path) }
      _ = try? probe { try $0.decode(Double.self, at: path) }
      _ = try? probe { try $0.decode(Bool.self, at: path) }
      _ = try? probe { try $0.decode(AnyValue.self, at: path) }
      _ = try? probe { try $0.decode(Float?.self, at: path) }
      _ = try? probe { try $0.decodeIfPresent(String.self, at: path) }
      _ = try? probe { try $0.decodeIfPresent(Int.self, at: path) }
      _ = try? probe { try $0.decodeIfPresent(Double.self, at: path) }
      _ = try? probe { try $0.decodeIfPresent(Bool.self, at: path) }
      _ = try? probe { try $0.decodeIfPresent(AnyValue.self, at: path) }
      _ = try? probe { try $0.decode([AnyValue].self, at: path, default: []) }
      _ = try? probe { try $0.decodeAll(AnyValue.self, at: path) }
    }
  }

  @Test func `common paths lead to their values`() throws {
    try Probe.json(text) { (json: NestedDecoder) throws in
      #expect(try json.decode(String.self, at: "info.title") == "Ruby")
      #expect(try json.decode(String.self, at: "info.name") == "esc")
      #expect(try json.decode(String.self, at: "info.list[?@.type=='B'].id") == "b")
      #expect(try json.decode(String.self, at: "info.list[?@.type=='B'].deep.x[1].y") == "end")
      #expect(try json.decodeIfPresent(String.self, at: "info.none.x") == nil)
      #expect(try json.decodeIfPresent(String.self, at: "info.list[?@.type=='C'].id") == nil)
      #expect(try json.decode(Int.self, at: "z") == 1)
    }
  }

  @Test func `a filtered path continues after 20 000 elements that pass the filter but lack the member`() throws {
    let list = String(repeating: #"{"k":"x","deep":{}},"#, count: 20_000)
    let text = #"{"l":[\#(list){"k":"x","deep":{"v":7},"v":8}]}"#
    struct Found: Decodable {
      var values: [Int?] = []
      init(from decoder: any Decoder) throws {
        let json = try decoder.nested()
        values.append(try json.decodeIfPresent(at: "l[?@.k=='x'].deep.v"))
        values.append(try json.decodeIfPresent(at: "l[?@.k=='x'].v"))
        values.append(try json.decodeIfPresent(at: "l[?@.k=='x'].w"))
      }
    }
    #expect(try JSONBytesDecoder().decode(Found.self, from: Data(text.utf8)).values == [7, 8, nil])
  }

  /// Errors come from the general way, but for those of the value itself.
  @Test func `an error inside a nested value has the whole path`() throws {
    struct Row: Decodable {
      var x: [Int]
    }
    struct Outer: Decodable {
      var row: Row?
      init(from decoder: any Decoder) throws {
        row = try decoder.nested().decodeIfPresent(at: "info.list[?@.id=='c'].deep")
      }
    }
    let failure = try #require(throws: LocatedDecodingError.self) {
      try JSONBytesDecoder().decode([Outer].self, from: Data("[\(text)]".utf8))
    }
    #expect(failure.path == "$[0].info.list[5].deep.x[1]")
    #expect(failure.kind == .mismatch && failure.found == "an object")
  }

  @Test func `nested paths use the key strategy's names`() throws {
    struct Book: Decodable, Equatable {
      var title: String
      var link: String?
      init(from decoder: any Decoder) throws {
        let json = try decoder.nested()
        link = try json.decodeIfPresent(at: "volumeInfo.linkList[?@.linkKind=='small'].linkText")
        title = try json.decode(at: "volumeInfo.mainTitle")
      }
    }
    let snake = Data(
      #"{"volume_info":{"main_title":"T","link_list":[{"link_kind":"small","link_text":"L"}]}}"#.utf8)
    let foundation = JSONDecoder()
    foundation.keyDecodingStrategy = .convertFromSnakeCase
    let theirs = try foundation.decode(Book.self, from: snake)
    #expect(try JSONBytesDecoder(like: foundation).decode(Book.self, from: snake) == theirs)
    #expect(theirs.title == "T" && theirs.link == "L")
  }

  @Test(arguments: [
    #"{"a":{"b":1,}}"#, #"{"a":{"b":1 "c":2}}"#, #"{"a":{"b":1},"l":[{"k":"x","v":1}],}"#,
    #"{"a":{"b":1},"l":[{"k":"x"]}"#,
    #"{"a":{"b":1},"l":[{"k":"\x","v":1}]}"#, #"{"a":{"b":1},"l":[{"k":"x","v":1},]}"#,
    #"{"a":{"b":1},"l":[{"k":"x","v":01}]}"#,
    #"{"a":{"b":1"#, #"{"a":{"b":1},"l":[{"k":"y"}"#,
  ])
  func `invalid JSON is refused wherever the paths have stopped`(text: String) {
    struct Reading: Decodable {
      init(from decoder: any Decoder) throws {
        let json = try decoder.nested()
        _ = json.field(Int.self, at: "a.b")
        _ = json.field(Int.self, at: "l[?@.k=='x'].v")
      }
    }
    let failure = #expect(throws: LocatedDecodingError.self) {
      try JSONBytesDecoder().decode(Reading.self, from: Data(text.utf8))
    }
    #expect(failure?.kind == .malformed && failure?.position != nil)
  }

  @Test func `an object that a filter skips keeps its members`() throws {
    struct Reading: Decodable {
      var values: [Int?] = []
      init(from decoder: any Decoder) throws {
        let json = try decoder.nested()
        values.append(try json.decode(at: "list[0].in.v"))
        values.append(try json.decode(at: "list[?@.t=='x'].in.zzz"))
        for path: JSONPath in ["list[0].in.b", "list[1].b", "list[0].in.none", "list[0].in.v", "list[1].in.zzz"] {
          values.append(try json.decodeIfPresent(at: path))
        }
      }
    }
    let text = #"{"list":[{"t":"x","in":{"v":1,"b":2}},{"b":7,"t":"x","in":{"zzz":5}}]}"#
    let expected = [1, 5, 2, 7, nil, 1, 5]
    #expect(try JSONBytesDecoder().decode(Reading.self, from: Data(text.utf8)).values == expected)
    #expect(try JSONDecoder().decode(Reading.self, from: Data(text.utf8)).values == expected)
  }

  @Test(.timeLimit(.minutes(1)))
  func `an outer object with many keys stays readable after an inner value has searched it`() throws {
    // Used by one decode, on this thread alone.
    final class Keeper: @unchecked Sendable { var outer: KeyedDecodingContainer<Name>? }
    struct Name: CodingKey {
      var stringValue: String
      var intValue: Int? { nil }
      init(stringValue: String) { self.stringValue = stringValue }
      init?(intValue: Int) { nil }
    }
    struct Inner: Decodable {
      init(from decoder: any Decoder) throws {
        // Passes all of the outer object, the last member of which has a name that was there.
        let outer = (decoder.userInfo[keeperKey] as? Keeper)?.outer
        #expect(outer?.contains(Name(stringValue: "nowhere")) == false)
      }
    }
    struct Outer: Decodable {
      init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Name.self)
        (decoder.userInfo[keeperKey] as? Keeper)?.outer = container
        _ = try container.decode(Inner.self, forKey: Name(stringValue: "in"))
        for number in 1..<32 {
          let one = try container.nestedContainer(keyedBy: Name.self, forKey: Name(stringValue: "k\(number)"))
          for place in 0..<20 {
            #expect(try one.decode(Int.self, forKey: Name(stringValue: "a\(place)")) == number * 100 + place)
          }
        }
        #expect(!container.contains(Name(stringValue: "nowhere")))
      }
    }
    let members = (1..<32).map { number in
      "\"k\(number)\":{" + (0..<20).map { "\"a\($0)\":\(number * 100 + $0)" }.joined(separator: ",") + "}"
    }
    let text = "{\"in\":{}," + members.joined(separator: ",") + ",\"k5\":0}"
    let decoder = JSONBytesDecoder()
    decoder.userInfo[keeperKey] = Keeper()
    _ = try decoder.decode(Outer.self, from: Data(text.utf8))
  }

  @Test func `a nested decoder that outlives its value does no harm`() throws {
    final class Keeper: @unchecked Sendable { var json: NestedDecoder? }
    struct Item: Decodable {
      var id: Int
      init(from decoder: any Decoder) throws {
        let json = try decoder.nested()
        id = try json.decode(at: "a.id")
        guard let keeper = decoder.userInfo[keeperKey] as? Keeper else { return }
        if let earlier = keeper.json { _ = earlier.field(Int.self, at: "a.id") }
        keeper.json = json
      }
    }
    let keeper = Keeper()
    let decoder = JSONBytesDecoder()
    decoder.userInfo[keeperKey] = keeper
    let items = try decoder.decode([Item].self, from: Data(#"[{"a":{"id":1}},{"a":{"id":2}},{"a":{"id":3}}]"#.utf8))
    #expect(items.map(\.id) == [1, 2, 3])
    let last = try #require(keeper.json)
    #expect(last.field(Int.self, at: "a.id").value == 3)
  }

  @Test func `containers continue where nested decoding has stopped`() throws {
    struct Mixed: Decodable {
      var values: [Int] = []
      private enum Keys: CodingKey { case inner, after }
      private enum InnerKeys: CodingKey { case a, b, c }
      init(from decoder: any Decoder) throws {
        let outer = try decoder.container(keyedBy: Keys.self)
        let inner = try outer.nestedContainer(keyedBy: InnerKeys.self, forKey: .inner)
        values.append(try inner.decode(Int.self, forKey: .a))
        // The parent passes what is left of the inner object, which is then asked for all the same.
        values.append(try outer.decode(Int.self, forKey: .after))
        values.append(try inner.decode(Int.self, forKey: .c))
        values.append(try decoder.nested().decode(at: "inner.b"))
      }
    }
    let text = #"[{"inner":{"a":1,"x":[{}],"b":2,"c":3,"y":{}},"after":4},{"inner":{"c":7,"b":6,"a":5},"after":8}]"#
    let decoded = try JSONBytesDecoder().decode([Mixed].self, from: Data(text.utf8))
    #expect(decoded.map(\.values) == [[1, 4, 3, 2], [5, 8, 7, 6]])
  }
}

private let keeperKey = CodingUserInfoKey(rawValue: "keeper").unsafelyUnwrapped
