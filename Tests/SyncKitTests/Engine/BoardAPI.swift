import Foundation
import Persistence
import SyncKit
import Testing

enum Board {
  final class Card: ManagedObject {
    @Attribute(.unique) var number: Int64?
    @Attribute var title = ""
    @ToMany(inverse: \Board.Tag.cards) var tags: RelatedObjects<Board.Tag>
    @ToMany(inverse: \Board.Step.cards, ordered: true) var steps: RelatedObjects<Board.Step>
  }

  final class Tag: ManagedObject {
    @Attribute(.unique) var number: Int64?
    @Attribute var title = ""
    @ToMany var cards: RelatedObjects<Card>
  }

  final class Step: ManagedObject {
    @Attribute(.unique) var number: Int64?
    @Attribute var title = ""
    @ToMany var cards: RelatedObjects<Card>
  }
}

/// An API whose cards have lists, and that refuses a change of an older revision.
actor BoardAPI {
  struct Row: Sendable {
    enum Kind { case card, tag, step }

    var kind: Kind
    var number: Int64 = 0
    var title = ""
    var tags: [Int64] = []
    var steps: [Int64] = []
    var revision: Int64 = 0
  }

  struct Outdated: Error {}

  private(set) var rows: [Int64: Row] = [:]
  private var created: [UUID: Int64] = [:]
  private var revision: Int64 = 0
  /// What updates have sent.
  private(set) var sent: [String] = []

  func list() -> [Row] { rows.values.sorted { $0.number < $1.number } }

  func create(_ row: Row, _ key: UUID) -> Row {
    let number = created[key] ?? Int64(created.count + 1)
    if created.updateValue(number, forKey: key) == nil { put(row, number) }
    return rows[number]!
  }

  func update(_ number: Int64, _ version: Int64?, _ text: String, _ change: @Sendable (inout Row) -> Void) throws -> Row
  {
    guard var row = rows[number], row.revision == version else { throw Outdated() }
    sent.append(text)
    change(&row)
    put(row, number)
    return rows[number]!
  }

  func delete(_ number: Int64) {
    rows[number] = nil
    for (other, row) in rows where row.tags.contains(number) || row.steps.contains(number) {
      var row = row
      row.tags.removeAll { $0 == number }
      row.steps.removeAll { $0 == number }
      put(row, other)
    }
  }

  private func put(_ row: Row, _ number: Int64) {
    revision += 1
    var row = row
    (row.number, row.revision) = (number, revision)
    rows[number] = row
  }
}

extension BoardAPI.Row {
  var remote: RemoteObject {
    switch kind {
    case .card:
      RemoteObject(Board.Card.self, key: SyncKey(number), version: .ordered(revision)) {
        $0.set(\.title, to: title)
        $0.set(\.tags, keys: tags)
        $0.set(\.steps, keys: steps.map { SyncKey($0) })
      }
    case .tag:
      RemoteObject(Board.Tag.self, key: SyncKey(number), version: .ordered(revision)) { $0.set(\.title, to: title) }
    case .step:
      RemoteObject(Board.Step.self, key: SyncKey(number), version: .ordered(revision)) { $0.set(\.title, to: title) }
    }
  }
}

struct BoardRemote: SyncRemote {
  let api: BoardAPI
  var policy = ConflictPolicy()
  let scopes = ["all"]

  static let classes = [
    SyncedClass(Board.Card.self, key: \.number, created: .idempotencyKey, lists: [\.tags, \.steps]),
    SyncedClass(Board.Tag.self, key: \.number, created: .idempotencyKey),
    SyncedClass(Board.Step.self, key: \.number, created: .idempotencyKey),
  ]

  var classes: [SyncedClass] { Self.classes }

  var capabilities: RemoteCapabilities {
    var capabilities = RemoteCapabilities()
    (capabilities.versions, capabilities.comparesVersions) = (.ordered, true)
    return capabilities
  }

  func pull(_ scope: String, after position: String?) async throws -> SyncPage {
    // Cards first, so that their members arrive later.
    let rows = await api.list().sorted { $0.kind == .card && $1.kind != .card }
    return SyncPage(
      rows.map(\.remote), covers: [.all(Board.Card.self), .all(Board.Tag.self), .all(Board.Step.self)])
  }

  func push(_ batch: SyncBatch, _ attempt: SyncBatch.Attempt) async throws {
    for change in batch.changes {
      do {
        try await attempt.record(try await send(change), for: change)
      } catch is BoardAPI.Outdated {
        try await attempt.record(.conflict(), for: change)
      }
    }
  }

  private func send(_ change: SyncChange) async throws -> SyncOutcome {
    switch change.kind {
    case .deletion(let key):
      await api.delete(key.integer ?? 0)
      return .accepted()
    case .creation:
      var row = BoardAPI.Row(kind: change.of(Board.Tag.self) != nil ? .tag : .step)
      if change.of(Board.Card.self) != nil { row.kind = .card }
      apply(change, to: &row)
      return .accepted(await api.create(row, change.idempotencyKey).remote)
    case .update(let key):
      guard case .ordered(let version)? = change.version else { throw BoardAPI.Outdated() }
      let row = try await api.update(key.integer ?? 0, version, text(change)) { apply(change, to: &$0) }
      return .accepted(row.remote)
    }
  }

  private func text(_ change: SyncChange) -> String {
    guard let card = change.of(Board.Card.self) else { return "other" }
    let added = card.added(to: \.tags).compactMap(\.key).map { "+\($0)" }
    let removed = card.removedKeys(from: \.tags).map { "-\($0)" }
    return ((card.sets(\.steps) ? ["steps"] : []) + added + removed).joined(separator: " ")
  }

  private func apply(_ change: SyncChange, to row: inout BoardAPI.Row) {
    if let card = change.of(Board.Card.self) {
      if card.sets(\.title) { row.title = card[\.title] ?? "" }
      if card.sets(\.tags) { row.tags = card.keys(of: \.tags).compactMap(\.integer) }
      if card.sets(\.steps) { row.steps = card.keys(of: \.steps).compactMap(\.integer) }
    }
    if let tag = change.of(Board.Tag.self) { row.title = tag[\.title] ?? "" }
    if let step = change.of(Board.Step.self) { row.title = step[\.title] ?? "" }
  }
}

/// A device with a store and an engine.
struct BoardApp {
  let container: PersistentContainer
  let context: ObjectContext
  let engine: SyncEngine
  private let folder: URL

  init(_ remote: BoardRemote) async throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "larder-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let schema = Schema(Board.Card.self, Board.Tag.self, Board.Step.self).synchronizing(BoardRemote.classes)
    container = try await PersistentContainer(at: .file(folder.appending(path: "board.store")), schema: schema)
    context = container.newContext()
    engine = try SyncEngine(container, with: remote)
    try await engine.start()
  }

  /// Runs a test with two devices.
  static func withTwo(
    _ remote: BoardRemote, _ body: (BoardApp, BoardApp) async throws -> Void
  ) async throws {
    let apps = [try await BoardApp(remote), try await BoardApp(remote)]
    do { try await body(apps[0], apps[1]) } catch { Issue.record(error) }
    for app in apps {
      await app.engine.stop()
      await app.container.close()
      try? FileManager.default.removeItem(at: app.folder)
    }
  }

  func edit(_ title: String, _ change: @escaping @Sendable (Board.Card, ObjectSpace) throws -> Void) async throws {
    try await context.persist { objects in
      if let card = try objects.fetch(Board.Card.self).first(where: { $0.title == title }) { try change(card, objects) }
    }
  }

  /// What a card has: its tags, and its steps in their order.
  func members(_ title: String) async throws -> [[String]] {
    try await context.perform { objects in
      let card = try objects.fetch(Board.Card.self).first { $0.title == title }
      return [card?.tags.map(\.title).sorted() ?? [], card?.steps.map(\.title) ?? []]
    }
  }
}
