import Foundation
import LarderTestSupport
import Testing

@testable import Persistence

@Suite struct ChangeSetCodingTests {
  private let schema = Schema(Everything.self, Film.self, Director.self, Movie.self, FamilyMember.self, Wide.self)

  private func randomValue(_ random: inout SplitMix) -> StoredValue {
    switch Int.random(in: 0..<6, using: &random) {
    case 0: .null
    case 1:
      .integer([0, -1, .min, .max, Int64.random(in: -300...300, using: &random)].randomElement(using: &random) ?? 0)
    case 2: .real([0, -0.0, .infinity, .leastNonzeroMagnitude, -1.5].randomElement(using: &random) ?? 0)
    case 3: .text(["", "a", "é\u{0}“", String(repeating: "x", count: 300)].randomElement(using: &random) ?? "")
    default:
      .blob(Data((0..<Int.random(in: 0..<200, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) }))
    }
  }

  private func randomPart(of slots: SlotSet, _ random: inout SplitMix) -> SlotSet {
    // A few, half or nearly all of the slots
    let share = Int.random(in: 1..<16, using: &random)
    return slots.reduce(into: SlotSet()) { if Int.random(in: 0..<16, using: &random) < share { $0.insert($1) } }
  }

  private func randomSet(_ random: inout SplitMix) -> ChangeSet {
    var set = ChangeSet(schema)
    for entity in schema.entities where Bool.random(using: &random) {
      var changes = EntityChanges(entity)
      changes.isWhole = Int.random(in: 0..<10, using: &random) == 0
      let all = SlotSet(first: entity.columns.count)
      for _ in 0..<Int.random(in: 0..<(entity.columns.count > 64 ? 2 : 12), using: &random) {
        let kind = ObjectChangeKind(rawValue: UInt8.random(in: 0..<3, using: &random)) ?? .updated
        let id = Int64.random(in: 1...(.max), using: &random) >> Int64.random(in: 0..<60, using: &random)
        if Int.random(in: 0..<5, using: &random) == 0 {
          changes.add(kind, ids: [id])
          continue
        }
        let mask = kind == .updated ? randomPart(of: all, &random) : all
        let carried = Bool.random(using: &random) ? mask : randomPart(of: mask, &random)
        changes.add(
          RowChange(
            id: id, kind: kind, version: .random(in: 0 ... .max, using: &random), base: 3, mask: mask, carried: carried)
        )
        for _ in 0..<carried.count * (kind == .updated ? 2 : 1) { changes.add(randomValue(&random)) }
      }
      changes.finish()
      set.entities.append(changes)
    }
    let many = schema.entities.first { !$0.toMany.isEmpty }?.index ?? 0
    for _ in 0..<Int.random(in: 0..<5, using: &random) {
      let (a, b) = (Int64.random(in: 1...9, using: &random), Int64.random(in: 1...9, using: &random))
      let links: [LinkChange] = [
        .added(join: 0, first: a, second: b), .removed(join: 0, first: a, second: b), .all(join: 0),
        .reordered(entity: many, relation: 0, owner: a),
      ]
      if let link = links.randomElement(using: &random) { set.links.append(link) }
    }
    return set
  }

  private func text(_ set: ChangeSet) -> String {
    let entities = set.entities.map { changes in
      let rows = changes.rows.map { row in
        let values = changes.slots(of: row).map { slot in
          changes.values(slot, of: row).map { "\(slot): \($0.old) \($0.new)" } ?? "?"
        }
        return "\(row.id) \(row.kind) \(row.version) \(row.base) \(Array(row.mask)) \(Array(row.carried)) \(values)"
      }
      return "\(changes.entity.name) \(changes.isWhole) \(rows)"
    }
    return "\(entities) \(set.links)"
  }

  private static func seed() -> UInt64 {
    ProcessInfo.processInfo.environment["LARDER_SEED"].flatMap { UInt64($0) } ?? .random(in: 0..<1_000_000)
  }

  @Test func `an encoded change set decodes to an equal change set`() throws {
    let seed = Self.seed()
    print("change sets as bytes: seed \(seed)")
    var random = SplitMix(seed: seed)
    for round in 0..<300 {
      let set = randomSet(&random)
      let decoded = ChangeSetDecoder.decode(ChangeSetEncoder.encode(set, atMost: .max), schema)
      #expect(text(decoded) == text(set), "seed \(seed), round \(round)")
    }
  }

  @Test func `truncated change sets decode to unknown changes, and corrupt ones decode safely`() throws {
    let seed = Self.seed()
    print("corrupt change sets: seed \(seed)")
    var random = SplitMix(seed: seed)
    var unknown = 0
    for _ in 0..<150 {
      let data = ChangeSetEncoder.encode(randomSet(&random), atMost: .max)
      // Cut off anywhere, and with some of the bytes changed
      for _ in 0..<10 {
        let cut = ChangeSetDecoder.decode(data.prefix(Int.random(in: 0..<data.count, using: &random)), schema)
        #expect(cut.entities.count == schema.entities.count && cut.entities.allSatisfy(\.isWhole))
        var corrupt = data
        for _ in 0..<Int.random(in: 1...4, using: &random) {
          corrupt[Int.random(in: 0..<data.count, using: &random)] = .random(in: 0...255, using: &random)
        }
        let set = ChangeSetDecoder.decode(corrupt, schema)
        _ = text(set)
        _ = text(set.inverted)
        if set.entities.count == schema.entities.count, set.entities.allSatisfy(\.isWhole) { unknown += 1 }
      }
    }
    #expect(unknown > 0)
  }

  @Test func `an encoded change set omits values, and then ids, to fit its size limit`() {
    var random = SplitMix(seed: 4)
    for _ in 0..<100 {
      let set = randomSet(&random)
      let sizes = [Int.max, 400, 0].map { limit in ChangeSetEncoder.encode(set, atMost: limit).count }
      #expect(sizes[1] <= max(400, sizes[2]) && sizes[2] <= sizes[0])
      let least = ChangeSetDecoder.decode(ChangeSetEncoder.encode(set, atMost: 0), schema)
      #expect(least.entities.map(\.isWhole) == set.entities.map { _ in true })
    }
  }
}
