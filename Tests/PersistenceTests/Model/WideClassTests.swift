import Foundation
import LarderTestSupport
import Testing

@testable import Persistence

/// Classes with more columns than a word has bits.
@Suite struct WideClassTests {
  let store: TemporaryStore

  init() throws { store = try TemporaryStore() }

  @Test func `all columns of the widest class are saved, merged, rolled back and reported`() async throws {
    let seed = ProcessInfo.processInfo.environment["LARDER_SEED"].flatMap { UInt64($0) } ?? .random(in: 0..<1_000_000)
    print("the widest class: seed \(seed)")
    var random = SplitMix(seed: seed)
    let container = try await store.open(Wide.self) { $0.history = .kept() }
    let (mine, theirs) = (container.newContext(), container.newContext())
    let id = try await mine.persist { $0.insert(Wide.self).id }
    var expected = [Int](repeating: 0, count: 126)
    for round in 1...60 {
      var order = Array(expected.indices)
      order.shuffle(using: &random)
      let (own, others, dropped) = (Array(order[..<20]), Array(order[20..<40]), Array(order[30..<60]))
      let token = try await container.historyToken()
      try await mine.perform { objects in
        let it = try objects.object(id)
        for slot in own { it[keyPath: Wide.numbers[slot]] = round }
      }
      try await theirs.persist { objects in
        let it = try objects.object(id)
        for slot in others { it[keyPath: Wide.numbers[slot]] = -round }
      }
      try await mine.persist { _ in }
      await #expect(throws: (any Error).self) {
        try await mine.persist { objects in
          let it = try objects.object(id)
          for slot in dropped { it[keyPath: Wide.numbers[slot]] += 1000 }
          throw Stop()
        }
      }
      for slot in own { expected[slot] = round }
      for slot in others { expected[slot] = -round }
      for context in [mine, theirs, container.newContext()] {
        #expect(try await context.perform { try $0.object(id).values } == expected, "seed \(seed), round \(round)")
      }
      guard case .changes(let sets, _) = try await container.changes(since: token) else {
        Issue.record("the history was not kept")
        continue
      }
      let told = sets.flatMap { $0.changes(of: Wide.self) }.flatMap(\.attributes).map(\.attribute)
      #expect(Set(told) == Set((own + others).map { Wide.names[$0] }))
    }
  }

  @Test func `columns after the first 64 support uniqueness, relationships, increments and results`() async throws {
    let container = try await store.open(Wide.self)
    let context = container.newContext()
    let (first, second) = try await context.persist { objects in
      let (first, second) = (objects.insert(Wide.self), objects.insert(Wide.self))
      (first.code, second.code) = (1, 2)
      second.parent = first
      return (first.id, second.id)
    }
    let results = try await container.results(FetchDescriptor(Wide.self, where: { $0.g0 > 5 }))
    var updates = results.updates.makeAsyncIterator()
    #expect(try #require(await updates.next()).snapshot.isEmpty)
    try await context.persist { objects in
      let (one, other) = (try objects.object(first), try objects.object(second))
      (one.code, other.code) = (2, 1)
      try objects.increment(one, \.h13, by: 7)
      one.g0 = 6
    }
    #expect(try #require(await updates.next()).snapshot.map { $0 } == [first])
    try await container.newContext().persist { objects in
      #expect(try objects.object(first).code == 2 && objects.object(first).h13 == 7)
      #expect(try objects.object(first).children.map(\.id) == [second])
      try objects.update(Wide.self, set: [.increment(\.h13, by: 1), .set(\.a0, to: 3)])
    }
    let sums = try await container.newContext().perform { try $0.fetch(Wide.self).map { $0.h13 + $0.a0 } }
    #expect(sums.sorted() == [4, 11])
    await #expect(throws: PersistenceError.self) { try await context.persist { try $0.object(first).code = 1 } }
  }

  @Test func `a schema rejects a class with one column too many`() async throws {
    do throws(PersistenceError) {
      _ = try await PersistentContainer(at: .file(store.file), schema: Schema(TooWide.self))
      Issue.record("the class was accepted")
    } catch {
      guard case .invalidSchema(let problems) = error else { throw error }
      #expect(problems.contains { $0.type == "TooWide" && $0.text.contains("129") })
    }
  }

  @Test func `a SlotSet behaves like a Set of numbers`() {
    var random = SplitMix(seed: 7)
    for _ in 0..<2000 {
      let sets = (0..<2).map { _ in
        Set((0..<Int.random(in: 0..<20, using: &random)).map { _ in Int.random(in: 0..<128, using: &random) })
      }
      let slots = sets.map { $0.reduce(into: SlotSet()) { $0.insert($1) } }
      let (a, b) = (slots[0], slots[1])
      #expect(Array(a) == sets[0].sorted() && a.count == sets[0].count && a.isEmpty == sets[0].isEmpty)
      #expect((0..<128).allSatisfy { a.contains($0) == sets[0].contains($0) })
      #expect(Set(a.union(b)) == sets[0].union(sets[1]) && Set(a.intersection(b)) == sets[0].intersection(sets[1]))
      #expect(
        Set(a.subtracting(b)) == sets[0].subtracting(sets[1])
          && a.isDisjoint(with: b) == sets[0].isDisjoint(with: sets[1]))
      let count = Int.random(in: 0...128, using: &random)
      #expect(Array(SlotSet(first: count)) == Array(0..<count))
    }
    #expect(SlotSet.everything.count == 128)
  }
}

/// As wide as a class may be: 126 numbers, a unique one and a relationship.
class Wide: ManagedObject {
  @Attribute var a0 = 0; @Attribute var a1 = 0; @Attribute var a2 = 0; @Attribute var a3 = 0
  @Attribute var a4 = 0; @Attribute var a5 = 0; @Attribute var a6 = 0; @Attribute var a7 = 0
  @Attribute var a8 = 0; @Attribute var a9 = 0; @Attribute var a10 = 0; @Attribute var a11 = 0
  @Attribute var a12 = 0; @Attribute var a13 = 0; @Attribute var a14 = 0; @Attribute var a15 = 0
  @Attribute var b0 = 0; @Attribute var b1 = 0; @Attribute var b2 = 0; @Attribute var b3 = 0
  @Attribute var b4 = 0; @Attribute var b5 = 0; @Attribute var b6 = 0; @Attribute var b7 = 0
  @Attribute var b8 = 0; @Attribute var b9 = 0; @Attribute var b10 = 0; @Attribute var b11 = 0
  @Attribute var b12 = 0; @Attribute var b13 = 0; @Attribute var b14 = 0; @Attribute var b15 = 0
  @Attribute var c0 = 0; @Attribute var c1 = 0; @Attribute var c2 = 0; @Attribute var c3 = 0
  @Attribute var c4 = 0; @Attribute var c5 = 0; @Attribute var c6 = 0; @Attribute var c7 = 0
  @Attribute var c8 = 0; @Attribute var c9 = 0; @Attribute var c10 = 0; @Attribute var c11 = 0
  @Attribute var c12 = 0; @Attribute var c13 = 0; @Attribute var c14 = 0; @Attribute var c15 = 0
  @Attribute var d0 = 0; @Attribute var d1 = 0; @Attribute var d2 = 0; @Attribute var d3 = 0
  @Attribute var d4 = 0; @Attribute var d5 = 0; @Attribute var d6 = 0; @Attribute var d7 = 0
  @Attribute var d8 = 0; @Attribute var d9 = 0; @Attribute var d10 = 0; @Attribute var d11 = 0
  @Attribute var d12 = 0; @Attribute var d13 = 0; @Attribute var d14 = 0; @Attribute var d15 = 0
  @Attribute var e0 = 0; @Attribute var e1 = 0; @Attribute var e2 = 0; @Attribute var e3 = 0
  @Attribute var e4 = 0; @Attribute var e5 = 0; @Attribute var e6 = 0; @Attribute var e7 = 0
  @Attribute var e8 = 0; @Attribute var e9 = 0; @Attribute var e10 = 0; @Attribute var e11 = 0
  @Attribute var e12 = 0; @Attribute var e13 = 0; @Attribute var e14 = 0; @Attribute var e15 = 0
  @Attribute var f0 = 0; @Attribute var f1 = 0; @Attribute var f2 = 0; @Attribute var f3 = 0
  @Attribute var f4 = 0; @Attribute var f5 = 0; @Attribute var f6 = 0; @Attribute var f7 = 0
  @Attribute var f8 = 0; @Attribute var f9 = 0; @Attribute var f10 = 0; @Attribute var f11 = 0
  @Attribute var f12 = 0; @Attribute var f13 = 0; @Attribute var f14 = 0; @Attribute var f15 = 0
  @Attribute var g0 = 0; @Attribute var g1 = 0; @Attribute var g2 = 0; @Attribute var g3 = 0
  @Attribute var g4 = 0; @Attribute var g5 = 0; @Attribute var g6 = 0; @Attribute var g7 = 0
  @Attribute var g8 = 0; @Attribute var g9 = 0; @Attribute var g10 = 0; @Attribute var g11 = 0
  @Attribute var g12 = 0; @Attribute var g13 = 0; @Attribute var g14 = 0; @Attribute var g15 = 0
  @Attribute var h0 = 0; @Attribute var h1 = 0; @Attribute var h2 = 0; @Attribute var h3 = 0
  @Attribute var h4 = 0; @Attribute var h5 = 0; @Attribute var h6 = 0; @Attribute var h7 = 0
  @Attribute var h8 = 0; @Attribute var h9 = 0; @Attribute var h10 = 0; @Attribute var h11 = 0
  @Attribute var h12 = 0; @Attribute var h13 = 0
  @Attribute(.unique) var code: Int?
  @ToOne var parent: Wide?
  @ToMany(inverse: \Wide.parent) var children: RelatedObjects<Wide>

  static var numbers: [ReferenceWritableKeyPath<Wide, Int>] {
    [
      \.a0, \.a1, \.a2, \.a3, \.a4, \.a5, \.a6, \.a7, \.a8, \.a9, \.a10, \.a11, \.a12, \.a13, \.a14, \.a15,
      \.b0, \.b1, \.b2, \.b3, \.b4, \.b5, \.b6, \.b7, \.b8, \.b9, \.b10, \.b11, \.b12, \.b13, \.b14, \.b15,
      \.c0, \.c1, \.c2, \.c3, \.c4, \.c5, \.c6, \.c7, \.c8, \.c9, \.c10, \.c11, \.c12, \.c13, \.c14, \.c15,
      \.d0, \.d1, \.d2, \.d3, \.d4, \.d5, \.d6, \.d7, \.d8, \.d9, \.d10, \.d11, \.d12, \.d13, \.d14, \.d15,
      \.e0, \.e1, \.e2, \.e3, \.e4, \.e5, \.e6, \.e7, \.e8, \.e9, \.e10, \.e11, \.e12, \.e13, \.e14, \.e15,
      \.f0, \.f1, \.f2, \.f3, \.f4, \.f5, \.f6, \.f7, \.f8, \.f9, \.f10, \.f11, \.f12, \.f13, \.f14, \.f15,
      \.g0, \.g1, \.g2, \.g3, \.g4, \.g5, \.g6, \.g7, \.g8, \.g9, \.g10, \.g11, \.g12, \.g13, \.g14, \.g15,
      \.h0, \.h1, \.h2, \.h3, \.h4, \.h5, \.h6, \.h7, \.h8, \.h9, \.h10, \.h11, \.h12, \.h13,
    ]
  }

  static let names = ["a", "b", "c", "d", "e", "f", "g", "h"].flatMap { letter in (0..<16).map { "\(letter)\($0)" } }

  var values: [Int] { Wide.numbers.map { self[keyPath: $0] } }
}

private final class TooWide: Wide {
  @Attribute var oneMore = 0
}
