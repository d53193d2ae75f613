import Foundation
import Persistence
import SyncKit
import SyncTesting

final class Milestone: ManagedObject {
  @Attribute(.unique) var number: Int64?
  @Attribute var title: String = ""
  @ToMany(inverse: \Ticket.milestone) var tickets: RelatedObjects<Ticket>
}

final class Ticket: ManagedObject {
  @Attribute(.unique) var number: Int64?
  @Attribute var title: String = ""
  @Attribute var notes: String?
  @Attribute var due: Date?
  @Attribute var isExpanded = false
  @ToOne var milestone: Milestone?
}

/// Its name is unique in a store, in capitals or not, and not on the server.
final class Label: ManagedObject {
  @Attribute(.unique) var number: Int64?
  @Attribute(.uniqueFolded) var name: String?
}

/// A ticket system, written as its own programmer would, with faults.
actor TicketAPI {
  struct Answer: Sendable {
    var number: Int64
    var title: String
    var notes: String?
    var due: Date?
    var milestone: Int64?
    var isMilestone = false
    var revision: Int64 = 0
  }

  struct Status: Error { let code: Int }
  struct Lost: Error {}

  private(set) var rows: [Int64: Answer] = [:]
  private(set) var created: [UUID: Int64] = [:]
  /// The keys of all creations, in order.
  private(set) var keys: [UUID] = []
  private(set) var requests = 0
  private var next: Int64 = 1
  private var revision: Int64 = 0
  var losesAnswers = false
  var rejects = false
  var isSignedOut = false
  var isBusy = false
  var answersWithAnother = false
  private(set) var deleted: Deleted?

  /// What a deletion said about its object.
  struct Deleted: Sendable {
    var key: Int64?
    var number: Int64?
    var title: String?
    var milestone: SyncKey?
  }
  private(set) var labels: [String] = []
  /// The commands that were performed, and the keys of all that arrived.
  private(set) var performed: [String] = []
  private(set) var commandKeys: [UUID] = []

  func set(
    losesAnswers: Bool? = nil, rejects: Bool? = nil, isSignedOut: Bool? = nil, isBusy: Bool? = nil,
    labels: [String]? = nil, answersWithAnother: Bool? = nil
  ) {
    self.answersWithAnother = answersWithAnother ?? self.answersWithAnother
    self.isBusy = isBusy ?? self.isBusy
    self.labels = labels ?? self.labels
    self.losesAnswers = losesAnswers ?? self.losesAnswers
    self.rejects = rejects ?? self.rejects
    self.isSignedOut = isSignedOut ?? self.isSignedOut
  }

  func list() throws -> [Answer] {
    try count()
    return rows.values.sorted { $0.number < $1.number }
  }

  func create(_ answer: Answer, _ key: UUID) throws -> Answer {
    try count()
    if isBusy { throw Status(code: 429) }
    keys.append(key)
    try check(answer)
    if created[key] == nil {
      created[key] = next
      put(answer, next)
      next += 1
    }
    if losesAnswers { throw Lost() }
    return rows[created[key]!]!
  }

  func update(_ number: Int64, _ change: @Sendable (inout Answer) -> Void) throws -> Answer {
    try count()
    guard var row = rows[number] else { throw Status(code: 404) }
    change(&row)
    try check(row)
    put(row, number)
    if losesAnswers { throw Lost() }
    if answersWithAnother, let other = rows.values.first(where: { $0.number != number }) { return other }
    return rows[number]!
  }

  func delete(_ number: Int64, _ description: Deleted? = nil) throws {
    try count()
    deleted = description
    guard rows.removeValue(forKey: number) != nil else { throw Status(code: 404) }
  }

  func perform(_ text: String, on number: Int64?, _ key: UUID) throws {
    try count()
    if isBusy { throw Status(code: 429) }
    if rejects, text.contains("!") { throw Status(code: 422) }
    if !commandKeys.contains(key) {
      performed.append(number.map { "\(text) \($0)" } ?? text)
      if let number, var row = rows[number] {
        row.notes = text
        put(row, number)
      }
    }
    commandKeys.append(key)
    if losesAnswers { throw Lost() }
  }

  private func put(_ answer: Answer, _ number: Int64) {
    revision += 1
    var answer = answer
    (answer.number, answer.revision) = (number, revision)
    rows[number] = answer
  }

  private func check(_ answer: Answer) throws {
    if rejects, answer.title.contains("!") { throw Status(code: 422) }
  }

  private func count() throws {
    requests += 1
    if isSignedOut { throw Status(code: 401) }
  }
}

extension TicketAPI.Answer {
  var remote: RemoteObject {
    if isMilestone {
      return RemoteObject(Milestone.self, key: SyncKey(number), version: .ordered(revision)) {
        $0.set(\.title, to: title)
      }
    }
    return RemoteObject(Ticket.self, key: SyncKey(number), version: .ordered(revision)) {
      $0.set(\.title, to: title)
      $0.set(\.notes, to: notes)
      $0.set(\.due, to: due)
      $0.set(\.milestone, key: milestone)
    }
  }
}

/// The remote of an app for ``TicketAPI``.
struct TicketRemote: SyncRemote {
  let api: TicketAPI
  var settling = CreationSettling.idempotencyKey
  var recognizesCommands = true
  /// Replaces what a pull returns.
  var page: @Sendable ([TicketAPI.Answer]) -> SyncPage = {
    SyncPage($0.map(\.remote), covers: [.all(Ticket.self), .all(Milestone.self)])
  }

  var classes: [SyncedClass] {
    [
      SyncedClass(Milestone.self, key: \.number, created: settling),
      SyncedClass(Ticket.self, key: \.number, created: settling, local: [\.isExpanded]),
      SyncedClass(Label.self, key: \.number, created: .none),
    ]
  }

  let scopes = ["all"]

  var capabilities: RemoteCapabilities {
    var capabilities = RemoteCapabilities()
    capabilities.versions = .ordered
    capabilities.recognizesCommands = recognizesCommands
    return capabilities
  }

  func pull(_ scope: String, after position: String?) async throws -> SyncPage {
    var page = page(try await api.list())
    for (index, label) in await api.labels.enumerated() {
      page.objects.append(RemoteObject(Label.self, key: SyncKey(index + 1)) { $0.set(\.name, to: label) })
    }
    return page
  }

  func push(_ batch: SyncBatch, _ attempt: SyncBatch.Attempt) async throws {
    for change in batch.changes {
      do {
        try await attempt.record(send(change), for: change)
      } catch let status as TicketAPI.Status where status.code == 422 {
        try await attempt.record(.rejected("no exclamations"), for: change)
      } catch let status as TicketAPI.Status where status.code == 404 {
        try await attempt.record(.missing, for: change)
      } catch let status as TicketAPI.Status where status.code == 429 {
        try await attempt.record(.later(), for: change)
      }
    }
  }

  private func send(_ change: SyncChange) async throws -> SyncOutcome {
    switch change.kind {
    case .creation:
      var answer = TicketAPI.Answer(number: 0, title: "")
      apply(change, to: &answer)
      return .accepted(try await api.create(answer, change.idempotencyKey).remote)
    case .update(let key):
      return .accepted(try await api.update(key.integer ?? 0) { apply(change, to: &$0) }.remote)
    case .deletion(let key):
      let ticket = change.of(Ticket.self)
      try await api.delete(
        key.integer ?? 0,
        TicketAPI.Deleted(
          key: change.key?.integer, number: ticket?[\.number], title: ticket?[\.title],
          milestone: ticket?.key(of: \.milestone)))
      return .accepted()
    }
  }

  private func apply(_ change: SyncChange, to answer: inout TicketAPI.Answer) {
    if let milestone = change.of(Milestone.self) {
      answer.isMilestone = true
      answer.title = milestone[\.title] ?? ""
    } else if let label = change.of(Label.self) {
      answer.title = label[\.name] ?? ""
    } else if let ticket = change.of(Ticket.self) {
      if ticket.sets(\.title) { answer.title = ticket[\.title] ?? "" }
      if ticket.sets(\.notes) { answer.notes = ticket[\.notes] }
      if ticket.sets(\.due) { answer.due = ticket[\.due] }
      if ticket.sets(\.milestone) { answer.milestone = ticket.key(of: \.milestone)?.integer }
    }
  }

  func find(_ batch: SyncBatch) async throws -> [RemoteObject?] {
    let rows = try await api.list()
    return batch.changes.map { change in
      rows.first { $0.title == change.of(Ticket.self)?[\.title] && !$0.isMilestone }?.remote
    }
  }

  func perform(_ command: SyncCommandRequest) async throws -> SyncCommandOutcome {
    let text = try command.name + " " + command.payload(as: String.self)
    do {
      try await api.perform(text, on: command.keys.first?.key.integer, command.idempotencyKey)
      return .done
    } catch let status as TicketAPI.Status where status.code == 422 {
      return .rejected("no exclamations")
    }
  }

  func failure(_ error: any Error) -> RemoteFailure {
    switch (error as? TicketAPI.Status)?.code {
    case 401: .unauthorized
    case 429: .later(nil)
    default: .unknown
    }
  }
}

/// A remote that is never asked.
struct OneClassRemote: SyncRemote {
  let classes: [SyncedClass]
  let scopes: [String] = []

  func pull(_ scope: String, after position: String?) async throws -> SyncPage { SyncPage([]) }
  func push(_ batch: SyncBatch, _ attempt: SyncBatch.Attempt) async throws {}
}

/// An app with a store of its own and an engine.
struct TicketApp {
  let container: PersistentContainer
  let context: ObjectContext
  let engine: SyncEngine
  let folder: URL
  let remote: TicketRemote

  init(_ remote: TicketRemote, copying other: TicketApp? = nil) async throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "larder-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    if let other {
      try await other.container.backup(to: folder.appending(path: "tickets.store"))
    }
    self.remote = remote
    container = try await TicketApp.open(folder, remote)
    context = container.newContext()
    engine = try TicketApp.engine(container, remote)
  }

  static func open(_ folder: URL, _ remote: TicketRemote) async throws -> PersistentContainer {
    let schema = Schema(Milestone.self, Ticket.self, Label.self).synchronizing(remote.classes)
    return try await PersistentContainer(at: .file(folder.appending(path: "tickets.store")), schema: schema)
  }

  /// An engine that makes later attempts when it is started again.
  static func engine(_ container: PersistentContainer, _ remote: TicketRemote) throws -> SyncEngine {
    try SyncEngine(container, with: remote, pause: MemoryAPI.noLaterAttempts)
  }

  static func with(_ remote: TicketRemote, _ body: (TicketApp) async throws -> Void) async throws {
    let app = try await TicketApp(remote)
    do {
      try await body(app)
    } catch {
      await app.remove()
      throw error
    }
    await app.remove()
  }

  func titles() async throws -> [String] {
    try await context.perform { try $0.fetch(Ticket.self).map(\.title).sorted() }
  }

  @discardableResult
  func insert(_ title: String, in milestone: String? = nil) async throws -> ObjectID<Ticket> {
    try await context.persist { objects in
      let ticket = objects.insert(Ticket.self)
      ticket.title = title
      if let milestone {
        ticket.milestone = objects.insert(Milestone.self)
        ticket.milestone?.title = milestone
      }
      return ticket.id
    }
  }

  func edit(_ id: ObjectID<Ticket>, _ change: @escaping @Sendable (Ticket) -> Void) async throws {
    try await context.persist { change(try $0.object(id)) }
  }

  /// Synchronizes without the delays that failures have caused.
  @discardableResult func restart() async throws -> SyncStatus {
    await engine.stop()
    try await engine.start()
    return try await engine.synchronize()
  }

  func remove() async {
    await engine.stop()
    await container.close()
    try? FileManager.default.removeItem(at: folder)
  }
}
