import Foundation
import Persistence
import Testing

/// Carries a walk into a closure and out again; only one side uses it at a time.
private final class Carrier: @unchecked Sendable {
  var walk: GraphWalk

  init(_ walk: GraphWalk) { self.walk = walk }
}

@MainActor @Suite struct WalkTests {
  /// More walks with `LARDER_WALKS=100`.
  nonisolated static let walks: (seeds: [UInt64], rounds: Int) = {
    let count = ProcessInfo.processInfo.environment["LARDER_WALKS"].flatMap { Int($0) } ?? 8
    let fixed = ProcessInfo.processInfo.environment["LARDER_SEED"].flatMap { UInt64($0) }
    let seeds = (0..<count).map { _ in UInt64.random(in: 0..<1_000_000) }
    return (fixed.map { [$0] } ?? seeds, 100)
  }()

  @Test(arguments: WalkTests.walks.seeds)
  func `a view context agrees with plain dictionaries after closures, rollbacks and failures`(
    _ seed: UInt64
  ) async throws {
    let store = try TemporaryStore()
    let container = try await store.open(Ticket.self, Board.self, Marker.self)
    let view = container.viewContext
    var walk = GraphWalk(seed: seed)
    var committed = walk.graph
    for round in 0..<WalkTests.walks.rounds {
      do {
        try await play(&walk, &committed, view, container)
        #expect(view.hasChanges || walk.graph == committed, "seed \(seed), round \(round)")
      } catch {
        Issue.record("seed \(seed), round \(round): \(error)\n\(walk.log.suffix(40).joined(separator: "\n"))")
        return
      }
    }
    view.rollback()
    walk.graph = committed
    for object in walk.held { try walk.graph.compare(object) }
    #expect(try Graph(view.objects) == committed, "seed \(seed)")
  }

  private func play(
    _ walk: inout GraphWalk, _ committed: inout Graph, _ view: ViewContext, _ container: PersistentContainer
  ) async throws {
    let steps = Int.random(in: 1..<10, using: &walk.random)
    switch Int.random(in: 0..<16, using: &walk.random) {
    case 14, 15: try saveTwice(&walk, &committed, view, steps)
    case 0:
      walk.note("rollback")
      view.rollback()
      walk.graph = committed
    case 1:
      walk.note("save")
      try view.save()
      committed = walk.graph
    case 2: try persist(&walk, &committed, view, steps, fails: false)
    case 3, 4: try persist(&walk, &committed, view, steps, fails: true)
    case 5:
      walk.note("perform")
      try view.perform { objects in for _ in 0..<steps { try walk.step(objects) } }
    case 6: try preview(&walk, view, steps)
    case 7:
      if view.hasChanges { return }
      try await commitElsewhere(&walk, container, steps)
      committed = walk.graph
    case 8:
      walk.note("read in another context")
      let expected = committed
      let found = try await container.newContext().perform { try Graph($0) }
      guard found == expected else { throw Difference(description: "another context fetches other contents") }
    default: for _ in 0..<steps { try walk.step(view.objects) }
    }
    try walk.compareHeld()
  }

  /// A save fails, the walk goes on, and the next save stores everything.
  private func saveTwice(
    _ walk: inout GraphWalk, _ committed: inout Graph, _ view: ViewContext, _ steps: Int
  ) throws {
    guard let id = walk.graph.tickets.keys.sorted().randomElement(using: &walk.random) else { return }
    let ticket = try view.object(ObjectID<Ticket>(rawValue: id))
    walk.note("save, to fail because of \(ticket.id)")
    ticket.weight = .nan
    #expect(throws: PersistenceError.self) { try view.save() }
    for _ in 0..<steps { try walk.step(view.objects) }
    if !ticket.isDeleted { ticket.weight = 0 }
    walk.note("save")
    try view.save()
    committed = walk.graph
  }

  @Test(arguments: WalkTests.walks.seeds)
  func `a background context agrees with plain dictionaries while saves of its pending changes fail`(
    _ seed: UInt64
  ) async throws {
    let store = try TemporaryStore()
    let container = try await store.open(Ticket.self, Board.self, Marker.self)
    let context = container.newContext()
    let carrier = Carrier(GraphWalk(seed: seed))
    for round in 0..<WalkTests.walks.rounds {
      let steps = Int.random(in: 1..<10, using: &carrier.walk.random)
      let fails = carrier.walk.chance(30)
      do {
        try await context.perform { objects in
          defer { carrier.walk.held = [] }
          for _ in 0..<steps { try carrier.walk.step(objects) }
          if fails { try objects.fetch(Ticket.self).last?.weight = .nan }
        }
        let canFail = fails && !carrier.walk.graph.tickets.isEmpty
        if canFail {
          await #expect(throws: PersistenceError.self) { try await context.persist { _ in } }
          try await context.perform { objects in
            try carrier.walk.compareAll(objects)
            for ticket in try objects.fetch(Ticket.self) where ticket.weight.isNaN { ticket.weight = 0 }
          }
        }
        if carrier.walk.chance(40) {
          try await context.persist { _ in }
          let expected = carrier.walk.graph
          let found = try await container.newContext().perform { try Graph($0) }
          guard found == expected else { throw Difference(description: "another context fetches other contents") }
        }
      } catch {
        let log = carrier.walk.log.suffix(40).joined(separator: "\n")
        Issue.record("seed \(seed), round \(round): \(error)\n\(log)")
        return
      }
    }
  }

  private func persist(
    _ walk: inout GraphWalk, _ committed: inout Graph, _ view: ViewContext, _ steps: Int, fails: Bool
  ) throws {
    let before = walk.graph
    let stored = committed
    var givesUp = false
    walk.note(fails ? "persist, to fail" : "persist")
    do throws(PersistenceError) {
      try view.persist { objects in
        for _ in 0..<steps { try walk.step(objects) }
        if walk.chance(10) {
          walk.note("rollback within")
          objects.rollback()
          givesUp = true
          walk.graph = stored
          try walk.step(objects)
        }
        if fails { throw Stop() }
      }
      committed = walk.graph
    } catch {
      guard fails, case .body(let cause) = error, cause is Stop else { throw error }
      walk.note("failed")
      walk.graph = givesUp ? stored : before
    }
  }

  private func preview(_ walk: inout GraphWalk, _ view: ViewContext, _ steps: Int) throws {
    let before = walk.graph
    walk.note("preview")
    _ = try view.preview { objects in for _ in 0..<steps { try walk.step(objects) } }
    walk.note("previewed")
    walk.graph = before
  }

  /// Changes by another context, whose objects are not kept.
  private func commitElsewhere(_ walk: inout GraphWalk, _ container: PersistentContainer, _ steps: Int) async throws {
    walk.note("in another context")
    var other = walk
    other.held = []
    let carrier = Carrier(other)
    try await container.newContext().persist { objects in
      defer { carrier.walk.held = [] }
      for _ in 0..<steps { try carrier.walk.step(objects) }
    }
    walk.graph = carrier.walk.graph
    walk.random = carrier.walk.random
    walk.log = carrier.walk.log
    await container.settle()
    walk.note("taken")
  }
}
