import Foundation
import LarderTestSupport
import SyncKit
import SyncTesting
import Testing

@testable import Persistence
@testable import SyncKit

final class TestList: ManagedObject {
  @Attribute(.unique) var number: Int64?
  @Attribute var name: String?
  @Attribute var text: String?
  @ToOne var parent: TestList?
  @ToMany(inverse: \TestList.parent) var children: RelatedObjects<TestList>
  @ToMany(inverse: \TestItem.list) var items: RelatedObjects<TestItem>
  @ToMany(inverse: \TestItem.pins, ordered: true) var pinned: RelatedObjects<TestItem>
  @ToMany var tagged: RelatedObjects<TestItem>
}

final class TestItem: ManagedObject {
  @Attribute(.unique) var number: Int64?
  @Attribute var name: String?
  @Attribute var text: String?
  @ToOne var list: TestList?
  @ToMany var pins: RelatedObjects<TestList>
  @ToMany(inverse: \TestList.tagged) var tags: RelatedObjects<TestList>
}

/// A machine over a store in a file does what one over a store in memory does, and leaves the same rows.
@Suite(.timeLimit(.minutes(10))) struct StoreAgreementTests {
  @Test func `a store in a file and one in memory agree about every row and every action`() async throws {
    let environment = ProcessInfo.processInfo.environment
    let first = environment["LARDER_SEED"].flatMap { UInt64($0) } ?? .random(in: 0..<1_000_000)
    let count = environment["LARDER_SIMULATION"].flatMap { UInt64($0) } ?? 20
    print("stores: first seed \(first)")
    for seed in first..<first + count {
      var run = try await Agreement(seed: seed)
      do { try run.run(steps: 100) } catch { Issue.record("seed \(seed): \(error)") }
      await run.remove()
    }
  }
}

private struct Agreement {
  struct Difference: Error, CustomStringConvertible {
    var description: String
  }

  private let folder: URL
  private let container: PersistentContainer
  private let space: ObjectSpace
  private let tables: SyncedTables
  private var random: SplitMix
  private var memory: MemoryStore
  private let identifiers: SyncIdentifiers
  private var server: MemoryServer
  private var machines: [SyncMachine]
  private var pending: [SyncAction] = []
  private var now: Int64 = 0
  private var nextValue = 0

  init(seed: UInt64) async throws {
    random = SplitMix(seed: seed)
    folder = FileManager.default.temporaryDirectory.appending(path: "larder-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let settling = [CreationSettling.idempotencyKey, .find, .none].randomElement(using: &random)!
    let classes = [
      SyncedClass(TestList.self, key: \.number, created: settling, lists: [\.pinned]),
      SyncedClass(TestItem.self, key: \.number, created: settling, lists: [\.tags]),
    ]
    let schema = Schema(TestList.self, TestItem.self).synchronizing(classes)
    container = try await PersistentContainer(at: .file(folder.appending(path: "rows.store")), schema: schema)
    space = try ObjectSpace(container.store.access)
    tables = try SyncedTables(container.schema, classes)
    var abilities = MemoryServer.Abilities()
    abilities.remote.versions = [.none, .opaque, .ordered].randomElement(using: &random)!
    abilities.remote.comparesVersions = abilities.remote.versions != .none && .random(using: &random)
    abilities.remote.fetchesRows = .random(using: &random)
    abilities.remote.batch = [.one, .many(3), .atomic(100)].randomElement(using: &random)!
    abilities.answersWithRows = .random(using: &random)
    abilities.remote.recognizesCommands = .random(using: &random)
    if Bool.random(using: &random) { abilities.listing = .log(1_000) }
    // Its pushes have the same numbers as those of the file.
    memory = MemoryStore(tables.model, replica: 0)
    let last = Lock<Int64>(0)
    identifiers = SyncIdentifiers {
      UUID()
    } push: {
      last.withLock { number in
        number += 1
        return number
      }
    }
    server = MemoryServer(tables.model, abilities)
    let machine = SyncMachine(tables.model, abilities.remote, scopes: ["all"])
    machines = [machine, machine]
    try isolated { space in try space.persist { try StoredRows.create(in: $0) } }
  }

  func remove() async {
    await container.close()
    try? FileManager.default.removeItem(at: folder)
  }

  mutating func run(steps: Int) throws {
    try send(.started)
    for _ in 0..<steps {
      switch Int.random(in: 0..<100, using: &random) {
      case 0..<35: try edit()
      case 35..<45: foreign()
      case 45..<52: try send(.poll)
      case 52..<55:
        pending = []
        machines = machines.map { SyncMachine($0.model, $0.capabilities, scopes: $0.scopes) }
        try send(.started)
      case 55..<60:
        now += 10_000
        try send(.woke)
      case 60..<63:
        guard let command = memory.commands.randomElement(using: &random) else { continue }
        try send(.decided(command: command.id, isWanted: .random(using: &random)))
      default:
        guard let index = pending.indices.randomElement(using: &random) else { continue }
        try answer(pending.remove(at: index), isLost: Int.random(in: 0..<5, using: &random) == 0)
      }
    }
  }

  private mutating func send(_ event: SyncEvent) throws {
    var (first, second) = (machines[0], machines[1])
    let expected = try first.handle(event, at: now, &memory)
    let (now, tables, identifiers) = (now, tables, identifiers)
    let actions = try isolated { space in
      try space.persist { space in
        try space.applyRemote { writer in
          var store = StoredRows(space, writer, tables, identifiers)
          return try second.handle(event, at: now, &store)
        }
      }
    }
    machines = [first, second]
    guard actions == expected else {
      throw Difference(description: "after \(event)\nin memory \(expected)\nin the file \(actions)")
    }
    try compare(after: "\(event)")
    pending += actions.filter { if case .wake = $0 { false } else { true } }
  }

  private func compare(after event: String) throws {
    let (tables, memory, identifiers) = (tables, memory, identifiers)
    // Records of other rows are removed at the next event.
    func isWaiting(_ id: RowID) -> Bool {
      // A change that was put back is forgotten when something is to be sent.
      var row = memory.rows[id]
      row?.normalize()
      return row.map { $0.isChanged || $0.sent != nil } ?? false
    }
    func isUnsent(_ id: RowID) -> Bool { isWaiting(id) && memory.rows[id]?.sent == nil }
    try isolated { space in
      // Reading needs a writer; nothing is written.
      try space.persist { space in
        try space.applyRemote { writer in
          let store = StoredRows(space, writer, tables, identifiers)
          let ids = Set(memory.rows.keys).union(try store.everyRow())
          for id in ids.sorted() {
            var (mine, stored) = (memory.row(id), try store.row(id))
            mine?.normalize()
            stored?.normalize()
            let theirs = stored?.isGone == true ? nil : stored
            guard mine == theirs else {
              throw Difference(
                description: "after \(event)\nin memory \(mine.map { "\($0)" } ?? "-")\nin the file "
                  + (theirs.map { "\($0)" } ?? "-"))
            }
            let ties = [
              memory.ties(of: id).map { memory.tied(by: $0) }, try store.ties(of: id).map { try store.tied(by: $0) },
            ].map { Set($0.joined()).subtracting([id]).filter(isWaiting).sorted() }
            guard mine == nil || ties[0] == ties[1] else {
              throw Difference(description: "after \(event), \(id) is tied to \(ties[1]), not \(ties[0])")
            }
          }
          let lists = try [
            (memory.allChanged().filter(isUnsent), store.allChanged().filter(isUnsent)),
            (memory.owed(), store.owed()),
          ]
          for (mine, theirs) in lists where mine != theirs {
            throw Difference(description: "after \(event), a list is \(theirs), not \(mine)")
          }
          let key = { (number: Int) in SyncKey(.integer(Int64(number))) }
          var coverages = [Coverage(of: 0), Coverage(of: 1, from: key(2), to: key(6))]
          for owner in 1...8 {
            for entity in 0...1 {
              coverages.append(Coverage(of: entity, owner: Coverage.Owner(attribute: 2, key: key(owner))))
            }
          }
          for coverage in coverages {
            let (mine, theirs) = (memory.rows(in: coverage), try store.rows(in: coverage))
            if mine.elementsEqual(theirs, by: ==) { continue }
            throw Difference(description: "after \(event), \(coverage) has \(theirs), not \(mine)")
          }
          let commands = try store.commands()
          guard memory.commands == commands else {
            throw Difference(description: "after \(event), the commands are \(commands), not \(memory.commands)")
          }
          let reports = try store.reports()
          guard memory.reports == reports else {
            throw Difference(description: "after \(event), the reports are \(reports), not \(memory.reports)")
          }
        }
      }
    }
  }

  private mutating func answer(_ action: SyncAction, isLost: Bool) throws {
    switch action {
    case .pull(let request, _, let position):
      if isLost { return try send(.failed(request: request, .unknown)) }
      try send(.pulled(request: request, server.page(after: position)))
    case .fetch(let request, let names):
      if isLost { return try send(.failed(request: request, .unknown)) }
      let (rows, missing) = server.fetch(names)
      try send(.fetched(request: request, rows: rows, missing: missing))
    case .push(let request):
      let outcomes = server.push(request, isRejecting: Int.random(in: 0..<4, using: &random) == 0)
      if !isLost { try send(.recorded(push: request.push, outcomes)) }
      try send(.ended(push: request.push, isLost ? .unknown : nil))
    case .find(let request):
      if isLost { return try send(.ended(push: request.push, .unknown)) }
      var rows: [RowID: RemoteRow] = [:]
      for change in request.changes {
        rows[change.row] = server.find(MemoryServer.Origin(row: change.row, push: request.push))
      }
      try send(.found(push: request.push, of: request.changes.map(\.row), rows))
    case .perform(let request):
      let outcome = server.perform(request, isRejecting: Int.random(in: 0..<4, using: &random) == 0)
      try send(
        isLost ? .performed(command: request.id, .failed(.unknown)) : .performed(command: request.id, outcome))
    case .wake: return
    }
  }

  private mutating func value() -> String {
    nextValue += 1
    return "v\(nextValue)"
  }

  private mutating func foreign() {
    let names = server.rows.keys.sorted { ($0.entity, $0.key) < ($1.entity, $1.key) }
    let value = SyncValue.plain(.text(value()))
    guard let name = names.randomElement(using: &random), Int.random(in: 0..<3, using: &random) > 0 else {
      let entity = Int.random(in: 0...1, using: &random)
      _ = server.insert(Fields([value, value, .null, list([SyncValue](), of: entity)]), in: entity)
      return
    }
    if Int.random(in: 0..<4, using: &random) == 0 {
      server.delete(name)
    } else if Bool.random(using: &random) {
      server.change(name) { $0[0] = value }
    } else {
      let members = names.filter { $0.entity != name.entity }.shuffled(using: &random).prefix(2).map { $0.key }
      let value = list(members.map { .key($0) }, of: name.entity)
      server.change(name) { $0[3] = value }
    }
  }

  private func list(_ members: [SyncValue], of entity: Int) -> SyncValue {
    .list(SyncList(members, isOrdered: entity == 0))
  }

  /// One commit of the app: up to three changes, in memory and with objects.
  private mutating func edit() throws {
    var changes: [(ObjectSpace) throws -> Void] = []
    for _ in 0..<Int.random(in: 1...3, using: &random) {
      let here = memory.rows.values.filter { $0.now != nil }.map(\.id).sorted()
      let lists = here.filter { $0.entity == 0 }
      switch Int.random(in: 0..<10, using: &random) {
      case 0..<4:
        let (entity, name, text) = (Int.random(in: 0...1, using: &random), value(), value())
        let parent = lists.randomElement(using: &random)
        let members = here.filter { $0.entity != entity }.shuffled(using: &random).prefix(2).map { $0 }
        let id = memory.insert(
          Fields([
            .plain(.text(name)), .plain(.text(text)), parent.map { .object($0.id) } ?? .null,
            list(members.map { .object($0.id) }, of: entity),
          ]), in: entity)
        changes.append {
          try $0.insertTest(id, name, text, parent)
          try $0.listTest(id, members)
        }
      case 4..<8:
        guard let id = here.randomElement(using: &random) else { continue }
        if Int.random(in: 0..<3, using: &random) == 0 {
          let members = here.filter { $0.entity != id.entity }.shuffled(using: &random).prefix(3).map { $0 }
          memory.edit(id, 3, list(members.map { .object($0.id) }, of: id.entity))
          changes.append { try $0.listTest(id, members) }
        } else if Bool.random(using: &random) {
          let value = value()
          memory.edit(id, 0, .plain(.text(value)))
          changes.append { try $0.editTest(id, name: value) }
        } else {
          let parent = Bool.random(using: &random) ? lists.filter { $0 != id }.randomElement(using: &random) : nil
          // A relationship to what has not arrived is nil already.
          if parent == nil, case .key? = memory.rows[id]?.now?[2] { continue }
          memory.edit(id, 2, parent.map { .object($0.id) } ?? .null)
          changes.append { try $0.moveTest(id, to: parent) }
        }
      default:
        guard let id = here.randomElement(using: &random) else { continue }
        memory.delete(id)
        changes.append { try $0.deleteTest(id) }
      }
    }
    if Int.random(in: 0..<4, using: &random) == 0 { changes.append(enqueue()) }
    let tied = try isolated { space in
      let last = try space.perform { try $0.lastTie() }
      try space.persist { for change in changes { try change($0) } }
      return try space.perform { try $0.lastTie() > last ? try $0.tiedTests() : [] }
    }
    // What a commit has changed in the end is not what its calls say: rows that were deleted again, and those that
    // refer to a deleted one.
    memory.tie(tied)
    try send(.changed)
  }

  /// A command about rows that may have been changed in the same commit, or deleted.
  private mutating func enqueue() -> (ObjectSpace) throws -> Void {
    let known = memory.rows.keys.sorted()
    let rows = (0..<Int.random(in: 0...2, using: &random)).compactMap { _ in known.randomElement(using: &random) }
    let (queue, text) = (["a", "b"].randomElement(using: &random)!, ["", "!"].randomElement(using: &random)!)
    let id = memory.enqueue("command", text, after: rows, queue: queue)
    let number = identifiers.push()
    return { [tables] space in
      guard number == id else { throw Difference(description: "the command \(id) became \(number)") }
      try StoredRows.enqueue(
        StoredCommand(id: id, "command", Data(text.utf8), queue: queue, after: rows), tables, in: space)
    }
  }

  private func isolated<Result>(_ body: (ObjectSpace) throws -> Result) throws -> Result {
    var result: Swift.Result<Result, any Error>?
    space.whileIsolated { space in result = Swift.Result { try body(space) } }
    return try result!.get()
  }
}

extension ObjectSpace {
  fileprivate func lastTie() throws -> Int64 {
    try rows("SELECT max(\"commit\") FROM _larder_tie", []).first?[0].number ?? 0
  }

  fileprivate func tiedTests() throws -> [RowID] {
    try rows("SELECT class,id FROM _larder_tie WHERE \"commit\"=(SELECT max(\"commit\") FROM _larder_tie)", []).map {
      RowID($0[0] == .text("TestList") ? 0 : 1, $0[1].number ?? 0)
    }
  }

  private func test(_ id: RowID) throws -> ManagedObject {
    if id.entity == 0 { return try object(ObjectID<TestList>(rawValue: id.id)) }
    return try object(ObjectID<TestItem>(rawValue: id.id))
  }

  private func list(_ id: RowID?) throws -> TestList? { try id.map { try object(ObjectID<TestList>(rawValue: $0.id)) } }

  fileprivate func insertTest(_ id: RowID, _ name: String, _ text: String, _ parent: RowID?) throws {
    let parent = try list(parent)
    if id.entity == 0 {
      let new = insert(TestList.self)
      (new.name, new.text, new.parent) = (name, text, parent)
      guard new.id.rawValue == id.id else { throw Agreement.Difference(description: "\(id) became \(new.id)") }
    } else {
      let new = insert(TestItem.self)
      (new.name, new.text, new.list) = (name, text, parent)
      guard new.id.rawValue == id.id else { throw Agreement.Difference(description: "\(id) became \(new.id)") }
    }
  }

  fileprivate func editTest(_ id: RowID, name: String) throws {
    switch try test(id) {
    case let list as TestList: list.name = name
    case let item as TestItem: item.name = name
    default: break
    }
  }

  fileprivate func moveTest(_ id: RowID, to parent: RowID?) throws {
    let parent = try list(parent)
    switch try test(id) {
    case let list as TestList: list.parent = parent
    case let item as TestItem: item.list = parent
    default: break
    }
  }

  fileprivate func listTest(_ id: RowID, _ members: [RowID]) throws {
    let members = try members.map(test)
    switch try test(id) {
    case let list as TestList: list.pinned.replace(with: members.compactMap { $0 as? TestItem })
    case let item as TestItem: item.tags.replace(with: members.compactMap { $0 as? TestList })
    default: break
    }
  }

  fileprivate func deleteTest(_ id: RowID) throws { delete(try test(id)) }
}

extension SyncStore {
  fileprivate func allChanged() throws -> [RowID] {
    var all = try changed(after: nil)
    while let last = all.last, case let more = try changed(after: last), !more.isEmpty { all += more }
    return all
  }
}
