import Foundation
import LarderTestSupport
import Testing

@testable import Persistence

/// The list of live results, compared with one that is sorted each time.
@Suite struct ResultsRowsTests {
  private static func seed() -> UInt64 {
    ProcessInfo.processInfo.environment["LARDER_SEED"].flatMap { UInt64($0) } ?? .random(in: 0..<1_000_000)
  }

  /// Similar values, and equal values of several types.
  private static func value(_ random: inout SplitMix) -> StoredValue {
    let texts = ["", "a", "a\0", "ab", "abcdefg", "abcdefgh", "abcdefghi", "abcdefgi", "é", "e\u{301}", "\u{10FFFF}"]
    let reals = [
      -.infinity, -1e300, -1.5, -1, -Double.leastNonzeroMagnitude, -0.0, 0, .leastNonzeroMagnitude, 0.5, 1,
      1.0.nextUp, 1.0.nextUp.nextUp, 0x1p53, 0x1p63, .infinity,
    ]
    let integers: [Int64] = [.min, -1, 0, 1, 1 << 53, 1 << 53 + 1, .max - 1, .max]
    return switch Int.random(in: 0..<9, using: &random) {
    case 0: .null
    case 1, 2: .integer(integers.randomElement(using: &random) ?? 0)
    case 3, 4: .real(reals.randomElement(using: &random) ?? 0)
    case 5, 6: .text(texts.randomElement(using: &random) ?? "")
    case 7: .blob(Data((texts.randomElement(using: &random) ?? "").utf8))
    default: .real(.random(in: -100...100, using: &random))
    }
  }

  @Test func `index prefixes of values never contradict the order of the values`() {
    let seed = Self.seed()
    print("prefixes of values: seed \(seed)")
    var random = SplitMix(seed: seed)
    for _ in 0..<50_000 {
      let (left, right) = (Self.value(&random), Self.value(&random))
      let order = left.order(inIndexWith: right)
      let (low, high) = (left.indexPrefix < right.indexPrefix, left.indexPrefix > right.indexPrefix)
      if low && order >= 0 || high && order <= 0 { Issue.record("\(left) \(right)") }
    }
  }

  @Test(arguments: [[], [false], [true], [true, false], [false, true, false, true]], [false, true])
  func `replacing rows of results gives the same list as sorting`(descending: [Bool], hasSections: Bool) throws {
    let seed = Self.seed()
    print("rows of a result: seed \(seed)")
    var random = SplitMix(seed: seed)
    let order = ResultsOrder(descending: descending)
    func entry(_ id: Int64, _ random: inout SplitMix) -> ResultsEntry {
      ResultsEntry(id: id, in: order, keys: descending.map { _ in Self.value(&random) })
    }
    var model: [Int64: ResultsEntry] = [:]
    for id in 0..<1500 { model[Int64(id)] = entry(Int64(id), &random) }
    var rows = ResultsRows(
      ContiguousArray(model.values.sorted { order.order($0, $1) < 0 }), order: order, hasSections: hasSections)
    var earlier: [(rows: ResultsRows, ids: [Int64])] = []
    for round in 0..<20 {
      let old = rows
      let count = [1, 3, 40, 700, 1500][round % 5]
      var (gone, come): ([ResultsEntry], [ResultsEntry]) = ([], [])
      for id in Set((0..<count).map { _ in Int64.random(in: 0..<2000, using: &random) }).sorted() {
        if let known = model[id] {
          gone.append(known)
          model[id] = nil
        }
        if Int.random(in: 0..<4, using: &random) > 0 {
          model[id] = entry(id, &random)
          come.append(try #require(model[id]))
        }
      }
      let replaced = rows.replace(gone.shuffled(using: &random), by: come.shuffled(using: &random))
      let places = try #require(replaced)
      let sorted = model.values.sorted { order.order($0, $1) < 0 }
      #expect(rows.count == sorted.count && rows.indices.map { rows[$0].id } == sorted.map(\.id), "round \(round)")
      #expect(zip(rows.indices, sorted).allSatisfy { order.order(rows.entry(of: rows[$0]), $1) == 0 })
      #expect(Array(sorted.indices.prefix(50)) == sorted.prefix(50).compactMap { rows.index(of: $0) })
      // The indexes are those of the lists before and after, in ascending order.
      #expect(places.removed.allSatisfy { old[$0.index].id == $0.id } && places.removed.count == gone.count)
      #expect(places.inserted.allSatisfy { rows[$0.index].id == $0.id } && places.inserted.count == come.count)
      for list in [places.removed, places.inserted] {
        #expect(zip(list, list.dropFirst()).allSatisfy { $0.index < $1.index })
      }
      // Comparing both lists finds the same changes, except for rows that were inserted again unchanged.
      let walk = RowsDifference(from: old, to: rows)
      #expect(Set(walk.removed.map(\.id)).isSubset(of: gone.map(\.id)))
      #expect(Set(walk.inserted.map(\.id)).isSubset(of: come.map(\.id)))
      #expect(rows.sections.map(\.count).reduce(0, +) == rows.count)
      if hasSections { #expect(rows.sections.allSatisfy { $0.count > 0 }) }
      // Keys of removed rows do not accumulate.
      #expect(rows.keys.count <= 2 * rows.count + 4 * ResultsRows.target)
      if round % 5 == 0 { earlier.append((rows, sorted.map(\.id))) }
    }
    // Earlier lists are unchanged.
    for (rows, ids) in earlier {
      #expect(rows.indices.map { rows[$0].id } == ids)
      let entries = rows.indices.map { rows.entry(of: rows[$0]) }
      #expect(zip(entries, entries.dropFirst()).allSatisfy { order.order($0, $1) < 0 })
    }
  }

  @Test func `replacing a row that is not in the results changes nothing`() {
    let order = ResultsOrder(descending: [false])
    let entries = (0..<10).map { ResultsEntry(id: $0, in: order, keys: [.integer($0)]) }
    var rows = ResultsRows(ContiguousArray(entries), order: order, hasSections: true)
    let other = ResultsEntry(id: 3, in: order, keys: [.integer(4)])
    let replaced = rows.replace([entries[1], other], by: [])
    #expect(replaced == nil)
    #expect(rows.indices.map { rows[$0].id } == Array(0..<10) && rows.sections.count == 10)
  }
}

extension ResultsRows {
  fileprivate var indices: Range<Int> { 0..<count }
}
