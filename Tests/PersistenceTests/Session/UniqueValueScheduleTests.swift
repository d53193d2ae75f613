import Foundation
import LarderTestSupport
import Testing

@testable import Persistence

private final class Host: ManagedObject {
  @ToMany(inverse: \Seat.host, ordered: true) var seats: RelatedObjects<Seat>
}

/// Each unique index depends on an attribute that is unique itself, or on one that is not.
private final class Seat: ManagedObject {
  @Attribute(.unique) var code: Int?
  @Attribute(.folded) var alias = ""
  @Attribute var area: String?
  @Attribute var isClosed = false
  @ToOne var host: Host?

  override class var indexes: [AttributeIndex] {
    [
      .unique(\Seat.area, where: { $0.code > 0 }),
      .unique(\Seat.alias, where: { $0.area != "y" }),
      .unique(\Seat.host, where: { !$0.isClosed }),
    ]
  }
}

/// A model of `Seat` that checks uniqueness by comparing all pairs.
private struct ModelSeat: Equatable {
  var code: Int?
  var alias: String
  var area: String?
  var isClosed: Bool
  var host: Int?

  init(_ seat: Seat, hosts: [Host]) {
    (code, alias, area, isClosed) = (seat.code, seat.alias, seat.area, seat.isClosed)
    host = seat.host.flatMap(hosts.firstIndex)
  }

  init(random: inout SplitMix) {
    code = [nil, -3, -2, -1, 1, 2, 3].randomElement(using: &random) ?? nil
    alias = ["A", "a", "b", "c", "d", "é"].randomElement(using: &random) ?? ""
    area = [nil, "x", "y", "z", "w"].randomElement(using: &random) ?? nil
    isClosed = Int.random(in: 0..<3, using: &random) > 0
    host = [nil, 0, 1].randomElement(using: &random) ?? nil
  }

  func contradicts(_ other: ModelSeat) -> Bool {
    let isOpen = { (seat: ModelSeat) in seat.code.map { $0 > 0 } ?? false }
    return code != nil && code == other.code
      || isOpen(self) && isOpen(other) && area != nil && area == other.area
      || area != "y" && other.area != "y" && alias == other.alias
      || !isClosed && !other.isClosed && host != nil && host == other.host
  }

  static func isValid(_ seats: [ModelSeat]) -> Bool {
    !seats.indices.contains { first in seats[(first + 1)...].contains { $0.contradicts(seats[first]) } }
  }

  func assign(to seat: Seat, hosts: [Host]) {
    if seat.code != code { seat.code = code }
    if seat.alias != alias { seat.alias = alias }
    if seat.area != area { seat.area = area }
    if seat.isClosed != isClosed { seat.isClosed = isClosed }
    let host = host.map { hosts[$0] }
    if seat.host != host { seat.host = host }
  }
}

/// Random saves of objects whose unique values depend on each other.
@Suite struct UniqueValueScheduleTests {
  let store: TemporaryStore

  init() throws { store = try TemporaryStore() }

  @Test(arguments: [false, true])
  func `a save succeeds if and only if the final values are unique, and changes nothing else`(
    fetchesBetween: Bool
  ) async throws {
    let seed = UInt64.random(in: 0..<1_000_000)
    var random = SplitMix(seed: seed)
    print("seed \(seed)")
    let container = try await store.open(Host.self, Seat.self)
    let context = container.newContext()
    try await context.persist { objects in
      let hosts = [objects.insert(Host.self), objects.insert(Host.self)]
      for number in 0..<6 {
        let seat = objects.insert(Seat.self)
        (seat.code, seat.alias, seat.area) = (-number, "\(number)", "y")
        seat.isClosed = true
        hosts[number % 2].seats.insert(seat)
      }
    }
    var saves = (accepted: 0, refused: 0)
    for _ in 0..<200 {
      let step = SplitMix(seed: random.next())
      let (isAccepted, isValid, problems) = try await save(in: container, step, fetchesBetween: fetchesBetween)
      #expect(isAccepted == isValid, "seed \(seed)")
      #expect(problems.isEmpty, "seed \(seed)")
      if isAccepted { saves.accepted += 1 } else { saves.refused += 1 }
      guard isAccepted == isValid, problems.isEmpty else { return }
    }
    #expect(saves.accepted > 0 && saves.refused > 0, "\(saves)")
    #expect(try await container.integrityCheck().isIntact)
  }

  private struct State {
    let models: [ModelSeat]
    let ids: [ObjectID<Seat>]
    let orders: [[ObjectID<Seat>]]

    init(_ objects: ObjectSpace) throws {
      let hosts = try objects.fetch(Host.self)
      let seats = try objects.fetch(Seat.self)
      models = seats.map { ModelSeat($0, hosts: hosts) }
      ids = seats.map(\.id)
      orders = hosts.map { $0.seats.map(\.id) }
    }
  }

  private static func target(from models: [ModelSeat], _ random: inout SplitMix) -> [ModelSeat] {
    var target = models
    if Int.random(in: 0..<3, using: &random) == 0, let index = models.indices.randomElement(using: &random) {
      target[index] = ModelSeat(random: &random)
      return target
    }
    // Values that change places.
    let others = models.indices.shuffled(using: &random)
    for index in models.indices {
      if Bool.random(using: &random) { target[index].code = models[others[index]].code }
      if Bool.random(using: &random) { target[index].area = models[others[index]].area }
      if Bool.random(using: &random) { target[index].alias = models[others[index]].alias }
      if Bool.random(using: &random) { target[index].isClosed = models[others[index]].isClosed }
    }
    return target
  }

  /// Returns whether the save succeeded, whether it should have, and what is wrong in the store.
  private func save(
    in container: PersistentContainer, _ step: SplitMix, fetchesBetween: Bool
  ) async throws -> (isAccepted: Bool, isValid: Bool, problems: [String]) {
    var random = step
    let before = try await container.newContext().perform { try State($0) }
    let target = UniqueValueScheduleTests.target(from: before.models, &random)
    let order = target.indices.shuffled(using: &random)
    let isValid = ModelSeat.isValid(target)
    // While it is written for a fetch, a relationship must be unique.
    let fetches =
      fetchesBetween
      && zip(before.models, target).allSatisfy { $0.host == $1.host && $0.isClosed == $1.isClosed }
    let stale: Set<String>
    do {
      stale = try await container.newContext().persist { (objects) throws -> Set<String> in
        let hosts = try objects.fetch(Host.self)
        let seats = try objects.fetch(Seat.self)
        var stale: Set<String> = []
        for (number, index) in order.enumerated() {
          target[index].assign(to: seats[index], hosts: hosts)
          let isLast = number == order.count - 1
          guard fetches || isLast && isValid else { continue }
          for text in ["a", "b", "c", "é"] {
            let query = Query<Seat> { $0.alias.folded == text }
            let (found, expected) = (try objects.fetch(Seat.self, matching: query), try seats.filter(query.matches))
            // A value that another object still has is not found.
            let isRight = isLast && isValid ? found == expected : found.allSatisfy(expected.contains)
            if !isRight { stale.insert(text) }
          }
        }
        return stale
      }
    } catch {
      guard case .notUnique = error else { throw error }
      let after = try await container.newContext().perform { try State($0) }
      return (false, isValid, after.models == before.models ? [] : ["the rollback"])
    }
    var problems = stale.map { "the folded text \($0)" }
    let after = try await container.newContext().perform { try State($0) }
    if after.models != target { problems.append("\(after.models) instead of \(target)") }
    for (host, ids) in before.orders.enumerated() {
      let stayed = ids.filter { id in before.ids.firstIndex(of: id).map { target[$0].host == host } ?? false }
      if !after.orders[host].starts(with: stayed) { problems.append("\(ids) became \(after.orders[host])") }
    }
    return (true, isValid, problems)
  }

  @Test func `relationships that must be unique alone may be exchanged between two fetches, but not across one`()
    async throws
  {
    let container = try await store.open(Host.self, Seat.self)
    try await container.newContext().persist { objects in
      let host = objects.insert(Host.self)
      for number in 1...2 {
        let seat = objects.insert(Seat.self)
        (seat.code, seat.alias, seat.isClosed) = (-number, "\(number)", number == 1)
        host.seats.insert(seat)
      }
    }
    for fetches in [true, false] {
      var error: PersistenceError?
      do {
        try await container.newContext().persist { objects in
          let seats = try objects.fetch(Seat.self)
          seats[0].isClosed = false
          if fetches { _ = try objects.count(Seat.self) }
          seats[1].isClosed = true
        }
      } catch let thrown {
        error = thrown
      }
      let isRefused = if case .notUnique? = error { true } else { false }
      #expect(isRefused == fetches, "\(String(describing: error))")
    }
  }
}
