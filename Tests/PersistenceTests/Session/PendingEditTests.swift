import Foundation
import PersistenceTesting
import Testing

@testable import Persistence

/// Error, correct, save again: each kind of edit survives each kind of failure.
@MainActor @Suite struct PendingEditTests {
  let store: TemporaryStore
  let faults = StorageFaults()

  init() throws { store = try TemporaryStore() }

  func open(_ configure: @Sendable (inout StoreConfiguration) -> Void = { _ in }) async throws
    -> PersistentContainer
  {
    let container = try await store.open(Feature.self, ReelHouse.self, ReelTag.self) { [faults] configuration in
      faults.apply(to: &configuration)
      configuration.busyTimeout = .milliseconds(20)
      configure(&configuration)
    }
    if !container.isReadOnly { try await container.newContext().persist { $0.insertReels() } }
    return container
  }

  enum Failure: CaseIterable { case value, validation, uniqueness, busy, full, suspended, conflict }

  enum Edit: CaseIterable {
    case attribute, toOne, partner, assign, empty, insert, insertAt, move, remove, assignPairs, movePairs, new, delete
    case deleteTarget, deleteTag
  }

  private struct Scene {
    let reels: [Feature]
    let houses: [ReelHouse]
    let tags: [ReelTag]

    @MainActor init(_ view: ViewContext) throws {
      (reels, houses) = (try view.fetch(Feature.self), try view.fetch(ReelHouse.self))
      tags = try view.fetch(ReelTag.self)
    }
  }

  private func make(_ edit: Edit, _ scene: Scene, in view: ViewContext) {
    let (reels, houses, tags) = (scene.reels, scene.houses, scene.tags)
    switch edit {
    case .attribute: (reels[5].title, reels[5].rating) = ("edited", 1)
    case .toOne: (reels[5].maker, reels[6].maker) = (houses[0], nil)
    case .partner: (reels[1].sequel, reels[2].prequel) = (reels[2], reels[3])
    case .assign: houses[1].reels = [reels[5], reels[7], reels[9]]
    case .empty: houses[2].reels = []
    case .insert: houses[1].reels.insert(reels[0])
    case .insertAt: houses[1].reels.insert(reels[0], at: 1)
    case .move: houses[1].reels.move(fromOffsets: [0, 1], toOffset: 4)
    case .remove: houses[1].reels.remove(reels[5])
    case .assignPairs: (reels[0].tags, tags[4].reels) = ([tags[4], tags[0]], [reels[8], reels[0]])
    case .movePairs: reels[3].tags.swapAt(0, 1)
    case .new:
      let reel = view.insert(Feature.self)
      (reel.title, reel.number, reel.maker) = ("new", 77, houses[3])
    case .delete: view.delete(reels[9])
    case .deleteTarget: view.delete(houses[3])
    case .deleteTag: view.delete(tags[1])
    }
  }

  /// Everything that is stored, with orders.
  private nonisolated static func contents(_ objects: ObjectSpace) throws -> [String] {
    // Ids that a rollback gave back are not assigned again, so new objects have other ones.
    func numbers(_ reels: RelatedObjects<Feature>) -> [Int64?] { reels.map(\.number) }
    let reels = try objects.fetch(Feature.self).map {
      "\($0.number ?? -1) \($0.title) \($0.rating ?? -1) \($0.maker?.id.rawValue ?? 0) "
        + "\($0.sequel?.id.rawValue ?? 0) \($0.tags.map(\.id.rawValue))"
    }
    let houses = try objects.fetch(ReelHouse.self).map { "\($0.id) \($0.average) \(numbers($0.reels))" }
    let tags = try objects.fetch(ReelTag.self).map { "\($0.id) \(Set(numbers($0.reels).compactMap { $0 }).sorted())" }
    return reels + houses + tags
  }

  @Test(arguments: Failure.allCases, Edit.allCases)
  func `an edit beside a failed save is stored by the next save`(failure: Failure, edit: Edit) async throws {
    let container = try await open()
    let view = container.viewContext
    let scene = try Scene(view)
    // What the edits result in without a failure.
    make(.attribute, scene, in: view)
    make(edit, scene, in: view)
    let wanted = try Self.contents(view.objects)
    view.rollback()
    try await container.newContext().persist { try $0.fetch(ReelTag.self)[0].name = "from elsewhere" }
    await container.settle()

    make(.attribute, scene, in: view)
    var other: PlainSQLite?
    switch failure {
    case .value: scene.houses[0].average = .nan
    case .validation: scene.houses[0].isRefused = true
    case .uniqueness: scene.reels[20].number = 21
    case .busy:
      other = try PlainSQLite(store.file)
      try other?.run("BEGIN IMMEDIATE")
    case .full: faults.fail(.diskFull, at: 1, persistently: true)
    case .suspended: await container.suspend()
    case .conflict:
      scene.houses[0].name = "mine"
      try await container.newContext().persist { try $0.fetch(ReelHouse.self)[0].name = "theirs" }
    }
    // An id cannot be reserved while the store cannot be written, so objects are inserted before.
    let isMadeFirst = edit == .new
    if !isMadeFirst { make(edit, scene, in: view) }
    #expect(throws: PersistenceError.self) { try view.save() }
    #expect(view.hasChanges)
    if failure != .suspended, !isMadeFirst { #expect(try Self.contents(view.objects).count == wanted.count) }
    switch failure {
    case .value: scene.houses[0].average = 0
    case .validation: scene.houses[0].isRefused = false
    case .uniqueness: scene.reels[20].number = 20
    case .busy: try other?.run("COMMIT")
    case .full: faults.stop()
    case .suspended: await container.resume()
    case .conflict: view.setMergePolicy(.mine)
    }
    if isMadeFirst { make(edit, scene, in: view) }
    do {
      try view.save()
    } catch {
      // What had to read members could not, and is refused by name until it is made again.
      guard failure == .suspended, case .unreadRelationship(let refused) = error else { throw error }
      #expect([scene.houses[1].id.rawValue, 1, 2, 3, 4, 9, 10].contains(refused.id))
      make(edit, scene, in: view)
      try view.save()
    }
    #expect(!view.hasChanges)
    let stored = try await container.newContext().perform { try Self.contents($0) }
    #expect(stored == wanted)
  }

  @Test func `an assignment beside a value that cannot be stored replaces the members`() async throws {
    let container = try await open()
    let view = container.viewContext
    try view.persist { _ in }
    let house = try view.fetch(ReelHouse.self)[1]
    let kept = try view.fetch(Feature.self, where: { $0.maker.name == "house 1" })[2]
    view.reset()
    let (again, reel) = (try view.object(house.id), try view.object(kept.id))
    again.average = 0.0 / 0.0
    again.reels = [reel]
    #expect(again.reels.map(\.id) == [kept.id])
    // The value counts as nil in queries, and other classes are not affected.
    #expect(try view.fetch(ReelHouse.self, where: { $0.average == 0 }).count == 3)
    #expect(try view.fetch(ReelTag.self).count == 5)
    #expect(throws: PersistenceError.self) { try view.save() }
    again.average = 0
    try view.save()
    let id = house.id
    let found = try await container.newContext().perform { try $0.object(id).reels.map(\.id) }
    #expect(found == [kept.id])
  }

  @Test func `no query needs a lock while another program writes`() async throws {
    let container = try await open { $0.busyTimeout = .zero }
    let view = container.viewContext
    try PendingQueryTests.make(.attribute, view.objects)
    try PendingQueryTests.make(.pairs, view.objects)
    try PendingQueryTests.make(.order, view.objects)
    let program = try PlainSQLite(store.file)
    try program.run("BEGIN IMMEDIATE; UPDATE Feature SET year=0")
    let inBetween = try PendingQueryTests.forms.map { try $0.run(view.objects) }
    #expect(throws: PersistenceError.self) { try view.save() }
    #expect(try PendingQueryTests.forms.map { try $0.run(view.objects) } == inBetween)
    try program.run("ROLLBACK")
    try view.save()
    #expect(try PendingQueryTests.forms.map { try $0.run(view.objects) } == inBetween)
  }

  @Test func `queries beside a pending edit work in a read-only store`() async throws {
    await (try open()).close()
    let container = try await open { $0.isReadOnly = true }
    let view = container.viewContext
    let before = try PendingQueryTests.forms.map { try $0.run(view.objects) }
    try view.fetch(Feature.self)[0].title = "changed"
    #expect(try PendingQueryTests.forms.map { try $0.run(view.objects) } != before)
    #expect(throws: PersistenceError.self) { try view.save() }
    #expect(try view.count(Feature.self, where: { $0.title == "changed" }) == 1)
    view.rollback()
    #expect(try PendingQueryTests.forms.map { try $0.run(view.objects) } == before)
    #expect(throws: PersistenceError.self) { try view.persist { try $0.connection.execute("DELETE FROM Feature") } }
  }

  @Test func `a closure sees one snapshot through its edits`() async throws {
    let container = try await open()
    let file = store.file
    try await container.newContext().perform { objects in
      let number = try objects.count(Feature.self)
      let program = try PlainSQLite(file)
      try program.run("DELETE FROM Feature WHERE _id=19; UPDATE ReelTag SET name='late', _version=_version+1")
      try objects.fetch(Feature.self)[0].title = "mine"
      #expect(try objects.count(Feature.self) == number)
      _ = objects.insert(Feature.self)
      try objects.fetch(ReelHouse.self)[1].reels.swapAt(0, 1)
      #expect(try objects.count(Feature.self) == number + 1)
      #expect(try objects.count(ReelTag.self, where: { $0.name == "late" }) == 0)
    }
  }

  @Test func `an order that is pending follows what others commit`() async throws {
    let container = try await open()
    let view = container.viewContext
    let house = try view.fetch(ReelHouse.self)[1]
    house.reels.swapAt(0, 1)
    let ids = house.reels.map(\.id.rawValue)
    #expect(try view.count(Feature.self, where: { $0.title == "late" }) == 0)
    try PlainSQLite(store.file).run("UPDATE Feature SET title='late', _version=_version+1 WHERE _id IN (\(ids[0]), 30)")
    #expect(try view.fetch(Feature.self, where: { $0.title == "late" }).map(\.id.rawValue).sorted() == [ids[0], 30])
    #expect(try view.fetch(ReelHouse.self)[1].reels.map(\.id.rawValue) == ids)
  }

  @Test func `a row that is deleted elsewhere while it is changed here is fetched until the save reports it`()
    async throws
  {
    let container = try await open()
    let view = container.viewContext
    let reel = try view.fetch(Feature.self)[4]
    reel.title = "mine"
    let id = reel.id
    try await container.newContext().persist { try $0.delete($0.object(id)) }
    await container.settle()
    #expect(try view.fetch(Feature.self, where: { $0.title == "mine" }) == [reel])
    #expect(throws: PersistenceError.self) { try view.save() }
    #expect(try view.fetch(Feature.self, where: { $0.title == "mine" }) == [reel])
    view.rollback()
    #expect(try view.fetch(Feature.self, where: { $0.title == "mine" }) == [])
  }

  @Test func `two deletions beside a failed save are not taken for deletions elsewhere`() async throws {
    let container = try await open()
    let view = container.viewContext
    let scene = try Scene(view)
    view.delete(scene.reels[3])
    _ = try view.fetch(Feature.self)
    scene.houses[0].average = .nan
    #expect(throws: PersistenceError.self) { try view.save() }
    view.delete(scene.reels[5])
    _ = try view.fetch(Feature.self)
    #expect(throws: PersistenceError.self) { try view.save() }
    scene.houses[0].average = 1
    try view.save()
    #expect(try await container.newContext().perform { try $0.count(Feature.self) } == 28)
  }

  @Test func `a closure fails for good when its changes cannot be written, whatever it catches`() async throws {
    let container = try await open()
    let context = container.newContext()
    await #expect(throws: PersistenceError.self) {
      try await context.persist { objects in
        let house = try objects.fetch(ReelHouse.self)[1]
        house.average = .nan
        _ = try? objects.fetch(ReelHouse.self)
        house.reels = [try objects.object(ObjectID<Feature>(rawValue: 1))]
        house.average = 0
      }
    }
    let found = try await container.newContext().perform { objects in
      (try objects.fetch(ReelHouse.self)[1].reels.count, try objects.count(ReelHouse.self, where: { $0.average == 0 }))
    }
    #expect(found == (8, 4))
  }

  @Test func `a refused edit is not forgotten because of another edit`() async throws {
    let container = try await open()
    let view = container.viewContext
    let scene = try Scene(view)
    await container.suspend()
    scene.houses[1].reels = [scene.reels[5]]
    scene.houses[3].reels.insert(scene.reels[0], at: 0)
    view.delete(scene.houses[2])
    await container.resume()
    scene.houses[3].reels.swapAt(0, 1)
    #expect(!scene.houses[2].isDeleted)
    scene.houses[1].reels.move(fromOffsets: [0], toOffset: 2)
    _ = try? view.persist { _ in
      scene.houses[1].reels = [scene.reels[5]]
      throw Stop()
    }
    // Neither an arrangement nor a closure that is rolled back makes the assignment.
    for id in [1, 3, 2].map({ scene.houses[$0].id.rawValue }) {
      #expect {
        try view.save()
      } throws: { error in
        guard case .unreadRelationship(let edit) = error as? PersistenceError else { return false }
        return edit.id == id
      }
      switch id {
      case scene.houses[1].id.rawValue: scene.houses[1].reels = [scene.reels[5]]
      case scene.houses[2].id.rawValue: view.delete(scene.houses[2])
      default: scene.houses[3].reels.insert(scene.reels[0], at: 0)
      }
    }
    try view.save()
    let found = try await container.newContext().perform { objects in
      try objects.fetch(ReelHouse.self).map { $0.reels.count }
    }
    #expect(found.count == 3 && found[1] == 1)
  }
}
