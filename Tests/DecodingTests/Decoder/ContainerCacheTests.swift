import Foundation
import Testing

@testable import Decoding

/// Types inside themselves: the container of an object is in use while those of the objects inside it are requested.
@Suite struct ContainerCacheTests {
  struct Tree: Codable, Equatable {
    var before: Int
    var children: [Tree]
    var after: Int

    enum Key: String, CodingKey { case before, children, after }

    /// - Parameter first: The number of the root; each number is in the tree once.
    init(levels: Int, width: Int, first: Int = 0) {
      before = first
      var next = first + 1
      children = []
      for _ in 0..<(levels > 1 ? width : 0) {
        let child = Tree(levels: levels - 1, width: width, first: next)
        next = child.after + 1
        children.append(child)
      }
      after = next
    }

    init(from decoder: any Decoder) throws {
      let object = try decoder.container(keyedBy: Key.self)
      do { _ = try object.nestedContainer(keyedBy: AnchorKey.self, forKey: .before) } catch let error as AnchorKey {
        Anchors.of(decoder.userInfo)?.insert(error)
      } catch {}  // another decoder
      before = try object.decode(Int.self, forKey: .before)
      children = try object.decode([Tree].self, forKey: .children)
      after = try object.decode(Int.self, forKey: .after)
    }

    func encode(to encoder: any Encoder) throws {
      var object = encoder.container(keyedBy: Key.self)
      if let anchors = Anchors.of(encoder.userInfo) {
        let nested = object.nestedContainer(keyedBy: AnchorKey.self, forKey: .before)
        (nested.codingPath.last as? AnchorKey).map(anchors.insert)
      }
      try object.encode(before, forKey: .before)
      try object.encode(children, forKey: .children)
      try object.encode(after, forKey: .after)
    }
  }

  /// The anchors of the containers. They are kept, so that no two have the same address.
  ///
  /// `@unchecked Sendable`: only the thread that calls the coder uses it.
  final class Anchors: @unchecked Sendable {
    static let key = CodingUserInfoKey(rawValue: "anchors")

    private var all: [AnyObject] = []

    static func of(_ userInfo: [CodingUserInfoKey: Any]) -> Anchors? { key.flatMap { userInfo[$0] as? Anchors } }

    func insert(_ key: AnchorKey) { if let anchor = key.anchor { all.append(anchor) } }

    var visits: Int { all.count }
    var count: Int { Set(all.map { ObjectIdentifier($0) }).count }
  }

  /// The levels are fewer than the containers of one type that a cache holds.
  @Test func `decoding a type inside itself takes one container for each level`() throws {
    let tree = Tree(levels: 6, width: 3)
    let (anchors, decoder) = (Anchors(), JSONBytesDecoder())
    decoder.userInfo = [try #require(Anchors.key): anchors]
    #expect(try decoder.decode(Tree.self, from: JSONEncoder().encode(tree)) == tree)
    #expect(anchors.visits == 364)
    #expect(anchors.count == 6)
  }

  @Test func `encoding a type inside itself takes one container for each level`() throws {
    let tree = Tree(levels: 6, width: 3)
    let (anchors, encoder) = (Anchors(), JSONBytesEncoder())
    encoder.userInfo = [try #require(Anchors.key): anchors]
    #expect(try JSONDecoder().decode(Tree.self, from: encoder.encode(tree)) == tree)
    #expect(anchors.visits == 364)
    #expect(anchors.count == 6)
  }

  @Test func `a type inside itself comes back on more levels than a cache has containers for`() throws {
    let tree = Tree(levels: 12, width: 2)
    let data = try JSONBytesEncoder().encode(tree)
    #expect(try JSONDecoder().decode(Tree.self, from: data) == tree)
    #expect(try JSONBytesDecoder().decode(Tree.self, from: data) == tree)
  }
}
