import LarderTestSupport
import Testing

@testable import Persistence

private final class Rack: ManagedObject {
  @Attribute var name = ""
  @ToMany(inverse: \Sleeve.rack, ordered: true) var sleeves: RelatedObjects<Sleeve>
  @ToMany(inverse: \Sleeve.box, deleteRule: .cascade, ordered: true) var boxed: RelatedObjects<Sleeve>
  @ToMany(inverse: \Artist.racks, ordered: true) var artists: RelatedObjects<Artist>
}

private final class Sleeve: ManagedObject {
  @Attribute var name = ""
  @ToOne var rack: Rack?
  @ToOne var box: Rack?
}

private final class Artist: ManagedObject {
  @Attribute var name = ""
  @ToMany(ordered: true) var racks: RelatedObjects<Rack>
}

@MainActor @Suite(.timeLimit(.minutes(10))) struct UndoOrderTests {
  let store: TemporaryStore

  init() throws { store = try TemporaryStore() }

  private func open(inMemory: Bool) async throws -> PersistentContainer {
    if !inMemory { return try await store.open(Rack.self, Sleeve.self, Artist.self) }
    return try await PersistentContainer(at: .inMemory, schema: Schema(Rack.self, Sleeve.self, Artist.self))
  }

  /// Every list of the store, read by a context of its own.
  private func lists(_ container: PersistentContainer) async throws -> [String] {
    try await container.newContext().perform { objects in
      var lines: [String] = []
      for rack in try objects.fetch(Rack.self) {
        lines.append("rack \(rack.id.rawValue): \(rack.sleeves.map { $0.id.rawValue })")
        lines.append("  box \(rack.boxed.map { $0.id.rawValue }), artists \(rack.artists.map { $0.id.rawValue })")
      }
      for artist in try objects.fetch(Artist.self) {
        lines.append("artist \(artist.id.rawValue): \(artist.racks.map { $0.id.rawValue })")
      }
      return lines
    }
  }

  private nonisolated static func change(_ objects: ObjectSpace, _ random: inout SplitMix) throws {
    for _ in 0..<Int.random(in: 1...4, using: &random) {
      let rack = try objects.fetch(Rack.self).randomElement(using: &random) ?? objects.insert(Rack.self)
      let sleeve = try objects.fetch(Sleeve.self).randomElement(using: &random) ?? objects.insert(Sleeve.self)
      let artist = try objects.fetch(Artist.self).randomElement(using: &random) ?? objects.insert(Artist.self)
      switch Int.random(in: 0..<14, using: &random) {
      case 0:
        rack.sleeves.insert(objects.insert(Sleeve.self), at: Int.random(in: 0...rack.sleeves.count, using: &random))
      case 1: rack.boxed.insert(objects.insert(Sleeve.self))
      case 2: rack.artists.insert(objects.insert(Artist.self), at: 0)
      case 3: rack.sleeves = RelatedObjects(rack.sleeves.shuffled(using: &random))
      case 4: artist.racks = RelatedObjects(artist.racks.shuffled(using: &random))
      case 5: rack.artists = RelatedObjects(rack.artists.shuffled(using: &random))
      case 6: objects.delete(sleeve)
      case 7: objects.delete(artist)
      case 8: objects.delete(rack)
      case 9: sleeve.rack = rack
      case 10: rack.sleeves.remove(sleeve)
      case 11: artist.racks.insert(objects.insert(Rack.self))
      case 12: artist.racks.remove(rack)
      default: rack.boxed = RelatedObjects(rack.boxed.reversed())
      }
    }
  }

  @Test(arguments: [false, true], [false, true])
  func `random changes of ordered relationships are undone and redone`(inView: Bool, inMemory: Bool) async throws {
    let seed = UInt64.random(in: 0..<1_000_000)
    print("undo of orders: seed \(seed)")
    var random = SplitMix(seed: seed)
    let container = try await open(inMemory: inMemory)
    let (view, context) = (container.viewContext, container.newContext())
    view.setUndoLimit(100)
    await context.setUndoLimit(100)
    var states = [try await lists(container)]
    for _ in 0..<60 {
      if inView {
        // Edits outside a closure are written only by the save.
        try Self.change(view.objects, &random)
        try view.save()
      } else {
        random = try await context.persist { [random] objects in
          var random = random
          try Self.change(objects, &random)
          return random
        }
      }
      let state = try await lists(container)
      let canUndo = inView ? view.canUndo : await context.canUndo
      if canUndo, state != states.last { states.append(state) }
    }
    var position = states.count - 1
    var steps = 0
    func undo() async throws -> Bool { inView ? try view.undo() : try await context.undo() }
    func redo() async throws -> Bool { inView ? try view.redo() : try await context.redo() }
    // A commit without any effect on the lists is a step, too.
    while try await undo() {
      steps += 1
      let state = try await lists(container)
      if state == states[position] { continue }
      position -= 1
      try #require(state == states[position], "undo \(steps), seed \(seed)")
    }
    #expect(position == 0)
    for step in 0..<steps {
      #expect(try await redo())
      let state = try await lists(container)
      if state == states[position] { continue }
      position += 1
      try #require(state == states[position], "redo \(step), seed \(seed)")
    }
    #expect(position == states.count - 1)
  }

  @Test func `undo keeps an order that others have made since, and members that came since`() async throws {
    let container = try await open(inMemory: false)
    let view = container.viewContext
    view.setUndoLimit(10)
    let other = container.newContext()
    let id = try await other.persist { objects in
      let rack = objects.insert(Rack.self)
      for name in ["a", "b", "c"] {
        let sleeve = objects.insert(Sleeve.self)
        sleeve.name = name
        rack.sleeves.insert(sleeve)
      }
      return rack.id
    }
    let rack = try view.object(id)
    func names() -> String { rack.sleeves.map(\.name).joined() }
    // Only removes: the others were reordered since.
    rack.sleeves.remove(try #require(rack.sleeves.first { $0.name == "b" }))
    try view.save()
    try await other.persist { try $0.object(id).sleeves.swapAt(0, 1) }
    #expect(names() == "ca")
    #expect(try view.undo() && names() == "cab")
    // Reorders: one came since.
    rack.sleeves = RelatedObjects(rack.sleeves.reversed())
    try view.save()
    try await other.persist { objects in
      let sleeve = objects.insert(Sleeve.self)
      sleeve.name = "d"
      try objects.object(id).sleeves.insert(sleeve, at: 0)
    }
    #expect(names() == "dbac")
    #expect(try view.undo() && names() == "cabd")
    #expect(try view.redo() && names() == "bacd")
  }

  @Test func `a preview contains the orders, and others' change sets do not`() async throws {
    let container = try await open(inMemory: false)
    let context = container.newContext()
    let id = try await context.persist { objects in
      let rack = objects.insert(Rack.self)
      for _ in 0..<3 { rack.sleeves.insert(objects.insert(Sleeve.self)) }
      return rack.id
    }
    let preview = try await context.preview { try $0.object(id).sleeves.swapAt(0, 2) }
    func order() async throws -> [Int64] {
      try await container.newContext().perform { try $0.object(id).sleeves.map(\.id.rawValue) }
    }
    #expect(try await order() == [1, 2, 3])
    try await context.persist { try $0.apply(preview) }
    #expect(try await order() == [3, 2, 1])
    try await context.persist { try $0.apply(preview.inverted) }
    #expect(try await order() == [1, 2, 3])
    var commits = container.commits.makeAsyncIterator()
    try await context.persist { try $0.object(id).sleeves.swapAt(0, 2) }
    let told = try #require(await commits.next(isolation: #isolation))
    try await context.persist { try $0.apply(told.inverted) }
    #expect(try await order() == [3, 2, 1])
  }
}
