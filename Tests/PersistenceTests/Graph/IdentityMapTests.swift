import LarderTestSupport
import Testing

@testable import Persistence

private final class Point: ManagedObject {}

@Suite struct IdentityMapTests {
  /// An object with this id and without a context.
  private func point(_ id: Int64) -> ManagedObject {
    var cursor = RowCursor(.fresh)
    cursor.id = id
    return cursor.whileCurrent { _ in Point() }
  }

  /// Adjacent ids, ids from all over a large table, and some that only another program would assign.
  private func id(using generator: inout SplitMix) -> Int64 {
    switch Int.random(in: 0..<8, using: &generator) {
    case 0..<3: .random(in: 1...200, using: &generator)
    case 3..<5: .random(in: 1...3_000_000, using: &generator)
    case 5: .random(in: 1...1_000, using: &generator) * 2_048
    case 6: .random(in: 1...(.max), using: &generator)
    default: .random(in: .min ... -1, using: &generator)
    }
  }

  @Test func `an identity map finds objects by id and in id order after any changes`() {
    let seed = UInt64.random(in: 0...(.max))
    print("identity map: seed \(seed)")
    var generator = SplitMix(seed: seed)
    var map = IdentityMap()
    defer { map.deallocate() }
    var known: [Int64: ManagedObject] = [:]
    // More objects than are kept for reuse, and back to none, twice.
    for goal in [20_000, 0, 300, 9_000, 0] {
      while known.count != goal {
        if known.count < goal {
          let object = point(id(using: &generator))
          if known[object._id] != nil { continue }
          known[object._id] = object
          map.insert(object)
        } else if let object = known.randomElement(using: &generator)?.value {
          known[object._id] = nil
          map.remove(object)
          if map.object(object._id) != nil { Issue.record("\(object._id) is still there") }
        }
      }
      #expect(known.allSatisfy { map.object($0.key) === $0.value })
      #expect(
        (0..<2000).allSatisfy { _ in
          let id = id(using: &generator)
          return map.object(id) === known[id]
        })
      #expect(Set(map.objects().map(\._id)) == Set(known.keys))
      // Ids that only another program would assign have no order.
      let near = known.keys.filter { $0 > 0 && $0 <= 3_000_000 }.sorted()
      for start in [1, 17, 2_048, 1_000_000, 2_999_999] as [Int64] {
        let found = map.objects(in: start...3_000_000, limit: 300).map(\._id)
        #expect(found == Array(near.filter { $0 >= start }.prefix(300)))
      }
    }
    #expect(map.objects().isEmpty)
  }

  @Test func `removing a replaced object from an identity map keeps its replacement`() {
    var map = IdentityMap()
    defer { map.deallocate() }
    let (old, new) = (point(7), point(7))
    map.insert(old)
    map.insert(new)
    map.remove(old)
    #expect(map.object(7) === new)
  }
}
