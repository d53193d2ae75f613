import Foundation
import Testing

@testable import Persistence

/// The rows of titles, each with its version, and the pairs of titles and tags.
struct StoredTitles: Equatable {
  var rows: [Int64: [StoredValue]] = [:]
  var pairs: Set<[Int64]> = []

  init(_ connection: Connection, _ entity: Entity, _ join: JoinTable) throws {
    let titles = try connection.statement("SELECT \(entity.selection) FROM \(entity.table)")
    while try titles.step() {
      rows[titles.int64(0)] = (0...entity.columns.count).map { titles.value(Int32($0) + 1) }
    }
    let pairs = try connection.statement("SELECT \(join.columns) FROM \(SQL.name(join.name))")
    while try pairs.step() { self.pairs.insert([pairs.int64(0), pairs.int64(1)]) }
  }

  /// Without the versions, which count up.
  var values: [Int64: [StoredValue]] { rows.mapValues { $0.dropLast() } }
}

private enum Start: CaseIterable {
  /// The row is not in the store, is there, or is also in memory.
  case absent, stored, held
}

/// Takes steps with one row in one transaction, and compares what is stored, in memory, and reported.
private final class RowLab {
  let space: ObjectSpace
  private let file: TemporaryStore
  private let store: Store
  private let reader: Connection
  /// Another context, which has the row in memory and receives the commit.
  private let mirror: ObjectSpace
  private let entity: Entity
  private let registry: EntityRegistry
  private let commits = Lock<ChangeSet?>(nil)
  private let listener: CommitListener
  private let follower = SaveFollower()
  private let base: TrackedFile
  private var key: Int64 = 0
  private(set) var problems: [String] = []

  init() throws {
    file = try TemporaryStore()
    var configuration = StoreConfiguration()
    configuration.history = .kept()
    store = try Store(.file(file.file), TitleRow.schema.tracking([TrackedClass(Title.self)]), configuration)
    (space, mirror) = (try ObjectSpace(store.access), try ObjectSpace(store.access))
    reader = try store.access.connect(reportsCommits: false)
    registry = try space.registry(of: Title.self)
    entity = registry.entity
    let commits = commits
    listener = CommitListener { commit in commits.withLock { $0 = commit.changes } }
    store.access.commits.add(listener)
    base = try TrackedFile(file.file)
    space.saveObservers.append(follower)
    try space.persist { objects in
      for name in ["first", "second"] { objects.insert(House.self).name = name }
      _ = objects.insert(Tag.self)
      for key in RowUnderTest.others { objects.insert(Title.self).remoteID = key }
    }
  }

  private func stored() throws -> StoredTitles { try StoredTitles(reader, entity, space.schema.joins[0]) }

  func run(_ steps: [RowStep], _ start: Start) throws {
    key += 1
    let row = try makeRow(start)
    let model = row.model
    let before = try stored()
    let (original, count) = (try space.perform { try row.object($0)?.id.rawValue }, problems.count)
    if start == .held { try space.perform { if let object = try row.object($0) { row.held.append(object) } } }
    let others = try mirror.perform { try $0.fetch(Title.self) { $0.remoteID == self.key } }
    do {
      try base.clear("Title")
      do { try take(steps, with: row, fails: true) } catch PersistenceError.body(let error) where error is Stop {}
      check(try stored() == before, "after an error, the store has changed")
      checkMemory(of: space, before, "after an error")
      check(follower.isBetweenTransactions, "the observer did not receive the rollback")
      try check(base.base(of: "Title").isEmpty, "the base of what was rolled back is kept")
      row.model = model
      let token = try space.perform { try $0.historyToken() }
      commits.withLock { $0 = nil }
      try take(steps, with: row, fails: false)
      let after = try stored()
      try checkBase(before, after)
      check(follower.isBetweenTransactions, "the observer did not receive the end")
      try checkModel(row)
      checkMemory(of: space, after, "after the commit")
      let heldID = start == .held ? original : nil
      let changes = commits.withLock { $0 } ?? ChangeSet(space.schema)
      check(changes, before, after, heldID: heldID, "the change set")
      if case .changes(let sets, _) = try space.perform({ try $0.changes(since: token) }) {
        check(sets.last ?? ChangeSet(space.schema), before, after, heldID: heldID, "the history")
      }
      mirror.whileIsolated { $0.receive(changes) }
      withExtendedLifetime(others) { checkMemory(of: mirror, after, "in another context") }
      if changes.links.allSatisfy(\.isPair), changes.entities.allSatisfy({ $0.rows.allSatisfy($0.isTold) }) {
        try space.persist { try $0.apply(changes.inverted) }
        let undone = try stored()
        check(undone.values == before.values && undone.pairs == before.pairs, "undo does not restore the row")
        // The base stays, whatever follows.
        try checkBase(before, after)
      }
    } catch {
      problems.append("\(error)")
    }
    if problems.count > count { problems[count] = "\(start), \(steps): \(problems[count])" }
    (row.held, row.restoration) = ([], nil)
    space.whileIsolated { $0.rollback() }
    try space.persist { objects in _ = try objects.delete(Title.self, where: { $0.remoteID > 0 }) }
  }

  private func makeRow(_ start: Start) throws -> RowUnderTest {
    guard start != .absent else { return RowUnderTest(key: key, nil, id: nil) }
    let id = try space.persist { objects in
      let (title, base) = (objects.insert(Title.self), RowUnderTest.base)
      (title.remoteID, title.name, title.rating) = (key, base.name, base.rating)
      title.studio = try objects.object(ObjectID<House>(rawValue: 1))
      title.tags.insert(try objects.fetch(Tag.self)[0])
      return title.id
    }
    let row = RowUnderTest(key: key, RowUnderTest.base, id: id)
    row.restoration = try space.preview { $0.delete(try $0.object(id)) }.inverted
    row.change = try space.preview { try $0.object(id).year = 2 }
    return row
  }

  private func take(_ steps: [RowStep], with row: RowUnderTest, fails: Bool) throws {
    try space.persist { objects in
      for (number, step) in steps.enumerated() { try row.take(step, number: number, in: objects) }
      if fails { throw Stop() }
    }
  }

  private func check(_ isTrue: Bool, _ problem: @autoclosure () -> String) { if !isTrue { problems.append(problem()) } }

  private func checkModel(_ row: RowUnderTest) throws {
    let tag = try space.perform { try $0.fetch(Tag.self)[0] }
    let found = try space.perform { objects in
      try objects.fetch(Title.self) { $0.remoteID == self.key }.map { title in
        RowModel(
          name: title.name, rating: title.rating, year: title.year, studio: title.studio?.id.rawValue,
          isTagged: title.tags.contains(tag), isOriginal: row.model?.isOriginal ?? false)
      }
    }
    check(found == (row.model.map { [$0] } ?? []), "\(found) is stored, not \(row.model as Any)")
  }

  /// - Parameter before: The rows before the first of the changes.
  private func checkBase(_ before: StoredTitles, _ after: StoredTitles) throws {
    let (old, new, base) = (before.values, after.values, try base.base(of: "Title"))
    for (id, record) in base {
      let values = entity.columns.map { record.values[$0.keyName] ?? .null }
      check(record.kind == 1 ? old[id] == nil : values == old[id], "the base is \(record), not \(old[id] as Any)")
    }
    for id in Set(old.keys).union(new.keys) where old[id] != new[id] {
      check(base[id] != nil, "there is no base of \(id)")
    }
  }

  private func checkMemory(of space: ObjectSpace, _ stored: StoredTitles, _ context: String) {
    guard let registry = try? space.registry(of: Title.self) else { return }
    for object in registry.map.objects() {
      let values = registry.layouts.indices.map { registry.value($0, of: object) }
      let row = stored.rows[object._id]
      check(values == row.map { Array($0.dropLast()) }, "\(context), \(values) is in memory, not \(row as Any)")
    }
  }

  /// - Parameter heldID: The row whose changes must be known with all values.
  private func check(
    _ set: ChangeSet, _ before: StoredTitles, _ after: StoredTitles, heldID: Int64?, _ source: String
  ) {
    let changes = set.changes(of: entity) ?? EntityChanges(entity)
    for row in changes.rows {
      let (old, new) = (before.rows[row.id], after.rows[row.id])
      let kind: ObjectChangeKind? = old == nil ? (new == nil ? nil : .inserted) : (new == nil ? .deleted : .updated)
      check(row.kind == kind, "\(source) says \(row.kind), not \(kind as Any)")
      check(row.id != heldID || changes.isTold(row), "\(source) lacks values of \(row)")
      check(
        row.version == 0 || new == nil || new?.last == .integer(Int64(row.version)), "\(source) has another version")
      guard row.kind == kind else { continue }
      for slot in entity.columns.indices {
        let (was, isNow) = (old?[slot] ?? .null, new?[slot] ?? .null)
        check(was == isNow || row.mask.contains(slot), "\(source) omits \(was) -> \(isNow)")
        guard let values = changes.values(slot, of: row) else { continue }
        check(values == (was, isNow), "\(source) says \(values), not \(was) -> \(isNow)")
        check(was != isNow || kind != .updated || !row.mask.contains(slot), "\(source) says that \(was) has changed")
      }
    }
    let listed = changes.rows.map(\.id)
    check(listed == Set(listed).sorted(), "\(source) lists a row twice")
    for id in Set(before.rows.keys).union(after.rows.keys) where before.values[id] != after.values[id] {
      check(listed.contains(id), "\(source) does not list \(id)")
    }
    let pairs =
      after.pairs.subtracting(before.pairs).map { LinkChange.added(join: 0, first: $0[0], second: $0[1]) }
      + before.pairs.subtracting(after.pairs).map { .removed(join: 0, first: $0[0], second: $0[1]) }
    check(Set(pairs) == Set(set.links) && pairs.count == set.links.count, "\(source) says \(set.links), not \(pairs)")
  }
}

extension LinkChange {
  fileprivate var isPair: Bool {
    switch self {
    case .added, .removed: true
    case .reordered, .all: false
    }
  }
}

@Suite struct OneRowTests {
  @Test(arguments: Start.allCases, RowStep.allCases)
  fileprivate func `a row touched in several ways within one persist is stored, in memory and reported as it should be`(
    start: Start, first: RowStep
  ) throws {
    let lab = try RowLab()
    for second in RowStep.allCases {
      try lab.run([first, second], start)
      // Without a row, this first step does nothing.
      if start == .absent, ![.insert, .imported, .importBefore, .importFetching, .importAfter].contains(first) {
        continue
      }
      for third in RowStep.allCases { try lab.run([first, second, third], start) }
    }
    let problems = lab.problems
    #expect(problems.isEmpty, "\(problems.count) problems, such as:\n\(problems.prefix(8).joined(separator: "\n"))")
  }
}
