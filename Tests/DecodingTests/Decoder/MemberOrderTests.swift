import Decoding
import Foundation
import Testing

/// Members that were passed before they are asked for, and what is read behind them.
@Suite struct MemberOrderTests {
  /// Asks for the members that its decoder's `userInfo` names, in that order.
  struct Asked: Decodable {
    var texts: [String: String] = [:]

    init(from decoder: any Decoder) throws {
      let order = try #require(decoder.userInfo[order] as? [String])
      let container = try decoder.container(keyedBy: AnyValue.Key.self)
      for name in order {
        let key = AnyValue.Key(stringValue: name)
        texts[name] =
          name == "b" ? try container.decodeIfPresent(String.self, forKey: key) : try container.decode(forKey: key)
      }
    }
  }

  /// Two objects, and what shows that their ends were found.
  struct Document: Decodable {
    let first: Asked
    let between: Int
    let second: Asked

    init(from decoder: any Decoder) throws {
      var container = try decoder.unkeyedContainer()
      first = try container.decode(Asked.self)
      between = try container.decode(Int.self)
      second = try container.decode(Asked.self)
    }
  }

  static let order = CodingUserInfoKey(rawValue: "order").unsafelyUnwrapped

  /// Texts and how they are written.
  private static let texts: [(String, String)] = [
    ("plain", #""plain""#), ("", #""""#), ("größe кот 写真 😀 é", #""größe кот 写真 😀 é""#), ("a\nß", #""a\n\u00df""#),
    (String(repeating: "long ", count: 20), #""\#(String(repeating: "long ", count: 20))""#),
  ]

  private static func orders(of names: [String]) -> [[String]] {
    names.count < 2 ? [names] : names.flatMap { name in orders(of: names.filter { $0 != name }).map { [name] + $0 } }
  }

  /// What is between the members: nothing that anybody asks for.
  @Test(arguments: [",", " ,\n ", #","\ud800":"x","#, #","a":"again","other":{"a":["b"]},"#])
  func `members decode to the same values in any order`(_ separator: String) throws {
    let names = ["a", "b", "c", "d"]
    for (shift, validation) in zip(0..., Array(repeating: [JSONValidation.full, .trusted], count: 5).joined()) {
      let chosen = (0..<4).map { Self.texts[($0 + shift) % Self.texts.count] }
      let members = zip(names, chosen).map { #""\#($0)": \#($1.1)"# }.joined(separator: separator)
      for order in Self.orders(of: names) + [["d", "d", "a", "d"], ["c", "a"], ["b"], []] {
        let decoder = JSONBytesDecoder()
        decoder.validation = validation
        decoder.userInfo = [Self.order: order]
        let document = try decoder.decode(Document.self, from: Data("[{\(members)},7,{\(members)}]".utf8))
        #expect(document.between == 7)
        for texts in [document.first.texts, document.second.texts] {
          #expect(texts.count == Set(order).count)
          for (name, text) in texts {
            let expected = chosen[try #require(names.firstIndex(of: name))].0
            // In capitals too: a string that passes for ASCII and is not would equal the other.
            #expect(text == expected && text.uppercased() == expected.uppercased())
          }
        }
      }
    }
  }

  @Test func `the members of a large object decode to the same values in any order`() throws {
    let names = (0..<100).map { "key\($0)" }
    let texts = Dictionary(uniqueKeysWithValues: names.map { ($0, "größe \($0) über") })
    let members = names.map { #""\#($0)":"größe \#($0) über""# }.joined(separator: ",")
    let decoder = JSONBytesDecoder()
    decoder.userInfo = [Self.order: (0..<100).map { names[$0 * 37 % 100] } + names]
    let document = try decoder.decode(Document.self, from: Data("[{\(members)},7,{\(members)}]".utf8))
    #expect(document.first.texts == texts && document.between == 7 && document.second.texts == texts)
  }
}

extension KeyedDecodingContainer {
  fileprivate func decode(forKey key: Key) throws -> String { try decode(String.self, forKey: key) }
}
