import Decoding
import Foundation
import Testing

@Suite struct LossyTests {
  struct Item: Codable, Equatable, Sendable { var id: Int }
  let text = #"{"list": [{"id": 1}, {"id": "x"}, null, {}, 7, {"id": 5}], "none": null, "text": "x", "empty": []}"#

  @Test(arguments: ["list", "list[*]"])
  func `undecodable elements are dropped and reported`(path: String) throws {
    let path = try JSONPath(parsing: path)
    let lossy = try Probe.json(text) { try $0.decodeLossy(Item.self, at: path) }
    #expect(lossy.values == [Item(id: 1), Item(id: 5)])
    #expect(lossy.drops.map(\.index) == [1, 2, 3, 4])
    #expect(lossy.drops.map(\.path) == ["list[1]", "list[2]", "list[3]", "list[4]"])
    #expect(lossy.drops.map(\.failure.kind) == [.mismatch, .null, .missing, .mismatch])
    #expect(
      lossy.drops.map(\.description) == [
        "$['list'][1]['id']: expected Int, found something else", "$['list'][2]: expected an object, found null",
        "$['list'][3]['id']: missing", "$['list'][4]: expected an object, found something else",
      ])
  }

  @Test func `dropping more elements than the limit allows is an error`() throws {
    func decode(_ limit: LossyLimit) throws -> Int {
      try Probe.json(text) { try $0.decodeLossy(Item.self, at: "list", allowing: limit).values.count }
    }
    #expect(try decode(.count(4)) == 2)
    #expect(try decode(.fraction(0.67)) == 2)
    for limit in [LossyLimit.count(3), .fraction(0.66), .count(0)] {
      let error = try #require(throws: DecodingError.self) { try decode(limit) }
      guard case .dataCorrupted(let context) = error else { throw error }
      let tooMany = try #require(context.underlyingError as? LossyDecodingError)
      #expect(tooMany.drops.count == 4)
      #expect(tooMany.count == 6)
      #expect(
        tooMany.localizedDescription == """
          4 of 6 values could not be decoded; the first: $['list'][1]['id']: expected Int, found something else
          """)
    }
  }

  struct Strict: Decodable {
    init(from decoder: any Decoder) throws {
      _ = try decoder.nested().decodeLossy(Item.self, at: "list", allowing: .count(1))
    }
  }

  struct StrictSelection: Decodable {
    init(from decoder: any Decoder) throws {
      _ = try decoder.nested().decodeLossy(Item.self, at: "list[*]", allowing: .fraction(0.5))
    }
  }

  @Test func `the error for too many dropped elements says how many of how many could not be decoded`() throws {
    let data = Data(#"{"inner": \#(text)}"#.utf8)
    let words = "expected values that can be decoded, found 4 of 6 that cannot"
    for path in ["$['inner']", "$..inner"] as [JSONPath] {
      for (decode, place) in [
        ({ _ = try JSONBytesDecoder().decode(Strict.self, from: data, at: path) }, "$['inner']['list']"),
        ({ _ = try JSONDecoder().decode(Strict.self, from: data, at: path) }, "$['inner']['list']"),
        ({ _ = try JSONBytesDecoder().decode(StrictSelection.self, from: data, at: path) }, "$['inner']"),
        ({ _ = try JSONDecoder().decode(StrictSelection.self, from: data, at: path) }, "$['inner']"),
      ] as [(() throws -> Void, String)] {
        let error = try #require(throws: LocatedDecodingError.self) { try decode() }
        #expect(error.kind == .invalid)
        #expect(error.description.hasPrefix("\(place): \(words) at line 1, column "))
        #expect(error.redacted.description == error.description)
      }
    }
    let foundations = try #require(throws: DecodingError.self) {
      try JSONDecoder().decode(Strict.self, from: Data(text.utf8))
    }
    #expect(LocatedDecodingError(foundations, in: Data(text.utf8)).description.hasPrefix("$['list']: \(words) at line"))
  }

  @Test func `a non-array is an error, and missing or null is an error only for decodeLossy`() throws {
    try Probe.json(text) { (json: NestedDecoder) throws in
      #expect(throws: DecodingError.self) { try json.decodeLossy(Item.self, at: "text") }
      #expect(throws: DecodingError.self) { try json.decodeLossyIfPresent(Item.self, at: "text") }
      #expect(throws: DecodingError.self) { try json.decodeLossy(Item.self, at: "none") }
      #expect(throws: DecodingError.self) { try json.decodeLossy(Item.self, at: "missing") }
      #expect(try json.decodeLossyIfPresent(Item.self, at: "none") == nil)
      #expect(try json.decodeLossyIfPresent(Item.self, at: "missing[*]")?.values == nil)
      #expect(try json.decodeLossyIfPresent(Item.self, at: "list[*]")?.values.count == 2)
      #expect(try json.decodeLossyIfPresent(Item.self, at: "empty")?.values == [])
    }
  }

  @Test func `an error thrown by an element's type is reported with the element's path`() throws {
    struct Refusing: Decodable {
      struct Refusal: Error {}
      init(from decoder: any Decoder) throws { throw Refusal() }
    }
    let drops = try Probe.json(#"{"list": [1]}"#) { try $0.decodeLossy(Refusing.self, at: "list") }.drops
    #expect(drops.first?.failure.kind == .custom)
    #expect(drops.first?.failure.path == "list[0]")
    #expect(drops.first?.failure.underlyingError is Refusing.Refusal)
  }

  struct Page: Codable, Equatable {
    @LossyArray var list: [Item]
    @LossyDictionary var map: [String: Item]
  }

  @Test func `the lossy wrappers drop and report elements`() throws {
    let text = #"{"list": [{"id": 1}, null, {"id": "x"}], "map": {"b": {"id": 2}, "a": null, "c": {"id": []}}}"#
    let page = try JSONDecoder().decode(Page.self, from: Data(text.utf8))
    #expect(page.list == [Item(id: 1)])
    #expect(page.$list.map(\.path) == ["list[1]", "list[2]"])
    #expect(page.map == ["b": Item(id: 2)])
    #expect(page.$map.map(\.path) == ["map.a", "map.c"])
    #expect(page.$map.map(\.index) == [0, 2])

    let again = try JSONDecoder().decode(Page.self, from: try JSONEncoder().encode(page))
    #expect(again == page)
    #expect(again.$list.isEmpty && again.$map.isEmpty)
  }

  @Test(arguments: [#"{}"#, #"{"list": null, "map": null}"#])
  func `missing and null are empty for the lossy wrappers`(text: String) throws {
    let page = try JSONDecoder().decode(Page.self, from: Data(text.utf8))
    #expect(page.list.isEmpty && page.map.isEmpty)
  }

  @Test func `a lossy wrapper throws for a value that is not its kind of container`() {
    #expect(throws: DecodingError.self) { try JSONDecoder().decode(Page.self, from: Data(#"{"list": {}}"#.utf8)) }
    #expect(throws: DecodingError.self) { try JSONDecoder().decode(Page.self, from: Data(#"{"map": [1]}"#.utf8)) }
  }

  @Test func `a lossy array drops the undecodable elements of a property list`() throws {
    let list: [String: Any] = ["list": [["id": 1], "x", ["id": 3]] as [Any], "map": [:] as [String: Any]]
    let data = try PropertyListSerialization.data(fromPropertyList: list, format: .xml, options: 0)
    let page = try PropertyListDecoder().decode(Page.self, from: data)
    #expect(page.list.map(\.id) == [1, 3])
    #expect(page.$list.map(\.index) == [1])
  }

  struct Drops: Decodable {
    struct Item: Decodable { var itemId: Int }
    struct Refusing: Decodable { init(from decoder: any Decoder) throws { throw Refused() } }
    struct Refused: Error {}

    @LossyArray var someItems: [Item]
    @LossyDictionary var byName: [String: Int]
    var selected: [DroppedElement]

    enum CodingKeys: CodingKey { case someItems, byName }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      _byName = try container.decode(LossyDictionary<String, Int>.self, forKey: .byName)
      _someItems = try container.decode(LossyArray<Item>.self, forKey: .someItems)
      let json = try decoder.nested()
      selected = try json.decodeLossy(Item.self, at: "someItems[1:3]").drops
      selected += try json.decodeLossy(Refusing.self, at: "byName['b']['list']").drops
    }
  }

  @Test func `a drop over bytes has its position, its kinds and the document's names`() throws {
    let text = """
      {"some_items": [{"item_id": 1}, {"item_id": "é"}, {"other": 1}, {"item_id": 4.5}],
       "by_name": {"a": 1, "b": {"list": [true, null]}}}
      """
    let decoder = JSONBytesDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    for path in ["$", "inner[0]"] as [JSONPath] {
      let whole = path == "$" ? text : #"{"inner": ["# + text + "]}"
      let drops = try decoder.decode(Drops.self, from: Data(whole.utf8), at: path)
      let offset = whole.utf8.count - text.utf8.count - (path == "$" ? 0 : 2)
      let root = path.description
      func place(_ line: Int, _ column: Int, _ byte: Int) -> String {
        "at line \(line), column \(column + (line == 1 ? offset : 0)) (byte \(byte + offset))"
      }
      #expect(
        drops.$someItems.map(\.description) == [
          "\(root)['some_items'][1]['item_id']: expected Int, found a string \(place(1, 45, 44))",
          "\(root)['some_items'][2]['item_id']: missing; the object has `other` \(place(1, 51, 51))",
          "\(root)['some_items'][3]['item_id']: expected a number that fits Int, found another number \(place(1, 77, 77))",
        ])
      #expect(
        drops.$byName.map(\.description) == [
          "\(root)['by_name']['b']: expected Int, found an object \(place(2, 27, 110))"
        ])
      #expect(
        drops.selected.map(\.description) == [
          "\(root)['some_items'][1]['item_id']: expected Int, found a string \(place(1, 45, 44))",
          "\(root)['some_items'][2]['item_id']: missing; the object has `other` \(place(1, 51, 51))",
          "\(root)['by_name']['b']['list'][0]: decoding Refusing threw Refused \(place(2, 37, 120))",
          "\(root)['by_name']['b']['list'][1]: decoding Refusing threw Refused \(place(2, 43, 126))",
        ])
      #expect(drops.selected.map(\.path.description).last == "\(root)['by_name']['b']['list'][1]")
    }
  }

  @Test func `the positions of many drops agree with counting from the beginning`() throws {
    let elements = (0..<3000).map { $0 % 7 == 0 ? "\n \"é\"" : "\($0)" }
    let text = "[" + elements.joined(separator: ",") + "]"
    let lossy = try JSONBytesDecoder().decode(LossyArray<Int>.self, from: Data(text.utf8))
    #expect(lossy.projectedValue.count == 429)
    for drop in lossy.projectedValue {
      let path = try JSONPath(parsing: "$[\(drop.index)]")
      let failure = #expect(throws: LocatedDecodingError.self) {
        try JSONBytesDecoder().decode(Int.self, from: Data(text.utf8), at: path)
      }
      #expect(failure?.position == drop.failure.position)
    }
  }
}
