import Decoding
import Foundation
import Testing

@Suite struct ContainerPathTests {
  struct Item: Decodable {
    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: AnyValue.Key.self)
      let base = try container.superDecoder(forKey: AnyValue.Key(stringValue: "base"))
      #expect(base.codingPath.map(\.stringValue) == ["Index 0", "base"])
      let other = try container.superDecoder(forKey: AnyValue.Key(stringValue: "other"))
      #expect(other.codingPath.map(\.stringValue) == ["Index 0", "other"])
      #expect(try container.superDecoder().codingPath.map(\.stringValue) == ["Index 0", "super"])
      _ = try base.singleValueContainer().decode(Int.self)
    }
  }

  @Test func `a super decoder of a missing key names the key`() {
    let failure = #expect(throws: LocatedDecodingError.self) {
      try JSONBytesDecoder().decode([Item].self, from: Data("[{}]".utf8))
    }
    #expect(failure?.kind == .missing)
    #expect(failure?.path == "[0].base")
  }

  /// Keeps the container of an element, and fails in it when the element is no more.
  struct Keeping: Decodable {
    init(from decoder: any Decoder) throws {
      var list = try decoder.unkeyedContainer()
      let inner = try list.decode(Kept.self).container
      var path: [String] = []
      do {
        _ = try inner.nestedContainer(keyedBy: AnyValue.Key.self, forKey: .init(stringValue: "inMap"))
      } catch DecodingError.typeMismatch(_, let context) { path = context.codingPath.map(\.stringValue) }
      #expect(path == ["outerMap", "Index 0", "inMap"])
    }
  }

  struct Kept: Decodable {
    let container: KeyedDecodingContainer<AnyValue.Key>
    init(from decoder: any Decoder) throws { container = try decoder.container(keyedBy: AnyValue.Key.self) }
  }

  @Test func `a container that outlives its value knows its whole path, with the key strategy's names`() throws {
    struct Root: Decodable { let outerMap: Keeping }
    let decoder = JSONBytesDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    _ = try decoder.decode(Root.self, from: Data(#"{"outer_map":[{"in_map":1},2]}"#.utf8))
  }

  /// Asks for its path before and after its elements ask for theirs.
  struct Asking: Decodable {
    init(from decoder: any Decoder) throws {
      let path = decoder.codingPath.map(\.stringValue)
      var elements = try decoder.unkeyedContainer()
      while !elements.isAtEnd {
        let element = try elements.superDecoder()
        #expect(element.codingPath.map(\.stringValue) == path + ["Index \(elements.currentIndex - 1)"])
        _ = try Asking(from: element)
      }
      #expect(decoder.codingPath.map(\.stringValue) == path)
    }
  }

  @Test func `paths that are asked for on the way down and up are complete`() throws {
    _ = try JSONBytesDecoder().decode([String: Asking].self, from: Data(#"{"a":[[],[[[]],[]],[]],"b":[[[]]]}"#.utf8))
  }
}
