import Foundation
import Persistence
import SyncKit
import Testing

/// What a newer version of the app has stored, and an older one cannot read.
@Suite(.timeLimit(.minutes(2))) struct UnreadableValueTests {
  private let server = MailServer()
  private let file = FileManager.default.temporaryDirectory.appending(path: "unreadable-\(UUID().uuidString).store")

  private func opened<Mail: MailObject>(
    _ type: Mail.Type, sendsWholeRows: Bool = false, _ body: (PersistentContainer, SyncEngine) async throws -> Void
  ) async throws {
    let remote = MailRemote<Mail>(server: server, sendsWholeRows: sendsWholeRows)
    let container = try await PersistentContainer(
      at: .file(file), schema: Schema(Mail.self).synchronizing(remote.classes))
    let engine = try SyncEngine(container, with: remote)
    try await engine.start()
    try await engine.synchronize()
    try await body(container, engine)
    await engine.stop()
    await container.close()
  }

  /// A row of the newer version is in the store.
  private func prepare() async throws {
    await server.put(1, MailRow(title: "Hello", status: "snoozed", body: #"{"html":"<p>","text":"x"}"#))
    try await opened(New.Mail.self) { container, _ in
      let status = try await container.newContext().perform { try $0.fetch(New.Mail.self).map(\.status) }
      #expect(status == [.snoozed])
    }
  }

  @Test func `an edit of another attribute sends nothing of a value that cannot be read`() async throws {
    defer { removeStore() }
    try await prepare()
    try await opened(Old.Mail.self) { container, engine in
      let context = container.newContext()
      try await context.persist { objects in
        let mail = try objects.fetch(Old.Mail.self)[0]
        #expect(mail.status == .unknown)
        mail.title = "Hello again"
      }
      #expect(try await engine.synchronize().isSynchronized)
      #expect(try await engine.conflicts().isEmpty)
    }
    #expect(
      await server.rows[1]
        == MailRow(title: "Hello again", status: "snoozed", body: #"{"html":"<p>","text":"x"}"#))
    try await opened(New.Mail.self) { container, _ in
      let mails = try await container.newContext().perform { objects in
        try objects.fetch(New.Mail.self).map { "\($0.status) \($0.body.html ?? "")" }
      }
      #expect(mails == ["snoozed <p>"])
    }
  }

  @Test func `where the API takes whole rows, the row is held and says why`() async throws {
    defer { removeStore() }
    try await prepare()
    try await opened(Old.Mail.self, sendsWholeRows: true) { container, engine in
      try await container.newContext().persist { try $0.fetch(Old.Mail.self)[0].title = "Hello again" }
      #expect(try await engine.synchronize().rejected == 1)
      let rejections = try await engine.rejections()
      #expect(rejections.map(\.reason) == ["status has a value that this version of the app cannot read"])
    }
    #expect(await server.rows[1]?.title == "Hello")
    try await opened(New.Mail.self, sendsWholeRows: true) { _, engine in
      for rejection in try await engine.rejections() { try await engine.retry(rejection.object) }
      #expect(try await engine.synchronize().isSynchronized)
    }
    #expect(await server.rows[1]?.title == "Hello again")
    #expect(await server.rows[1]?.status == "snoozed")
  }

  @Test func `an object that cannot be read takes what the server has, and holds no other`() async throws {
    defer { removeStore() }
    try await prepare()
    await server.put(2, MailRow(title: "Second", status: "read", body: #"{"text":"x"}"#))
    await server.put(1, MailRow(title: "Hello", status: "read", body: #"{"text":"y"}"#))
    try await opened(Strict.Mail.self) { container, engine in
      let error = try await engine.status().error
      #expect(error == nil)
      let texts = try await container.newContext().perform { objects in
        try objects.fetch(Strict.Mail.self).map { "\($0.title) \($0.status) \($0.body.text)" }.sorted()
      }
      #expect(texts == ["Hello read y", "Second read x"])
    }
  }

  @Test func `an object that cannot be read is deleted with that of the server`() async throws {
    defer { removeStore() }
    try await prepare()
    await server.remove(1)
    try await opened(Strict.Mail.self) { container, engine in
      let error = try await engine.status().error
      #expect(error == nil)
      #expect(try await container.newContext().perform { try $0.count(Strict.Mail.self) } == 0)
    }
  }

  private func removeStore() {
    for suffix in ["", "-wal", "-shm", "-sync"] { try? FileManager.default.removeItem(atPath: file.path() + suffix) }
  }
}

private protocol MailObject: ManagedObject {
  associatedtype Status: AttributeValue, RawRepresentable<String>
  associatedtype Body: CodableAttribute
  static var paths: MailPaths<Self> { get }
}

private struct MailPaths<Mail: MailObject>: Sendable {
  let number: any KeyPath<Mail, Int64?> & Sendable
  let title: any KeyPath<Mail, String> & Sendable
  let status: any KeyPath<Mail, Mail.Status> & Sendable
  let body: any KeyPath<Mail, Mail.Body> & Sendable
}

private enum New {
  enum Status: String, AttributeValue { case unread, read, snoozed }
  struct Body: CodableAttribute { var text = "", html: String? }

  final class Mail: ManagedObject, MailObject {
    typealias Status = New.Status
    typealias Body = New.Body

    @Attribute(.unique) var number: Int64?
    @Attribute var title = ""
    @Attribute var status = Status.unread
    @Attribute var body = Body()

    static var paths: MailPaths<Mail> { MailPaths(number: \.number, title: \.title, status: \.status, body: \.body) }
  }
}

private enum Old {
  enum Status: String, AttributeValue { case unread, read, unknown }
  struct Body: CodableAttribute { var text = "" }

  final class Mail: ManagedObject, MailObject {
    typealias Status = Old.Status
    typealias Body = Old.Body

    @Attribute(.unique) var number: Int64?
    @Attribute var title = ""
    @Attribute(unreadable: .unknown) var status = Status.unread
    @Attribute var body = Body()

    static var paths: MailPaths<Mail> { MailPaths(number: \.number, title: \.title, status: \.status, body: \.body) }
  }
}

private enum Strict {
  enum Status: String, AttributeValue { case unread, read }

  final class Mail: ManagedObject, MailObject {
    typealias Status = Strict.Status
    typealias Body = Old.Body

    @Attribute(.unique) var number: Int64?
    @Attribute var title = ""
    @Attribute var status = Status.unread
    @Attribute var body = Old.Body()

    static var paths: MailPaths<Mail> { MailPaths(number: \.number, title: \.title, status: \.status, body: \.body) }
  }
}

private struct MailRow: Equatable, Sendable {
  var title = ""
  var status = "unread"
  var body = "{}"
}

private actor MailServer {
  private(set) var rows: [Int64: MailRow] = [:]

  func put(_ number: Int64, _ row: MailRow) { rows[number] = row }
  func remove(_ number: Int64) { rows[number] = nil }
}

private struct MailRemote<Mail: MailObject>: SyncRemote {
  let server: MailServer
  let sendsWholeRows: Bool
  let scopes = ["mails"]

  var classes: [SyncedClass] { [SyncedClass(Mail.self, key: Mail.paths.number, created: .idempotencyKey)] }

  var capabilities: RemoteCapabilities {
    var capabilities = RemoteCapabilities()
    capabilities.sendsWholeRows = sendsWholeRows
    return capabilities
  }

  /// A version sets only what it knows of the server's values.
  func pull(_ scope: String, after position: String?) async throws -> SyncPage {
    let objects = await server.rows.sorted { $0.key < $1.key }.map { number, row in
      RemoteObject(Mail.self, key: SyncKey(number)) {
        $0.set(Mail.paths.title, to: row.title)
        if let status = Mail.Status(rawValue: row.status) { $0.set(Mail.paths.status, to: status) }
        if row.status != "snoozed" || Mail.self == New.Mail.self,
          let body = try? JSONDecoder().decode(Mail.Body.self, from: Data(row.body.utf8))
        {
          $0.set(Mail.paths.body, to: body)
        }
      }
    }
    return SyncPage(objects, covers: [.all(Mail.self)])
  }

  func push(_ batch: SyncBatch, _ attempt: SyncBatch.Attempt) async throws {
    for change in batch.changes {
      guard let mail = change.of(Mail.self), let number = change.key?.integer else { continue }
      var row = await server.rows[number] ?? MailRow()
      if mail.sets(Mail.paths.title) { row.title = mail[Mail.paths.title] ?? "" }
      if mail.sets(Mail.paths.status) { row.status = (mail[Mail.paths.status] as? Mail.Status)?.rawValue ?? "" }
      if mail.sets(Mail.paths.body), let body = mail[Mail.paths.body] as? Mail.Body {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        row.body = String(decoding: try encoder.encode(body), as: UTF8.self)
      }
      await server.put(number, row)
      try await attempt.record(.accepted(), for: change)
    }
  }
}
