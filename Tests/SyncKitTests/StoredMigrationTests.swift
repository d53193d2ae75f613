import Foundation
import Testing

@testable import Persistence
@testable import SyncKit

private enum Old {
  final class Shelf: ManagedObject {
    @Attribute(.unique) var number: Int64?
    @ToMany(inverse: \Book.shelf) var books: RelatedObjects<Book>
  }

  final class Book: ManagedObject {
    @Attribute(.unique) var number: Int64?
    @Attribute var title: String?
    @ToOne var shelf: Shelf?
  }

  static var classes: [SyncedClass] {
    [
      SyncedClass(Shelf.self, key: \.number, created: .idempotencyKey),
      SyncedClass(Book.self, key: \.number, created: .idempotencyKey),
    ]
  }
}

private enum New {
  final class Rack: ManagedObject {
    @Attribute(.unique) var number: Int64?
    @ToMany(inverse: \Volume.rack) var volumes: RelatedObjects<Volume>
  }

  final class Volume: ManagedObject {
    @Attribute(.unique) var number: Int64?
    @Attribute var name: String?
    @ToOne var rack: Rack?
  }

  static var classes: [SyncedClass] {
    [
      SyncedClass(Rack.self, key: \.number, created: .idempotencyKey),
      SyncedClass(Volume.self, key: \.number, created: .idempotencyKey),
    ]
  }
}

private enum Alone {
  final class Shelf: ManagedObject {
    @Attribute(.unique) var number: Int64?
  }
}

private enum OldBoard {
  final class Note: ManagedObject {
    @Attribute(.unique) var number: Int64?
    @ToMany(inverse: \Label.notes) var labels: RelatedObjects<Label>
    @ToMany(inverse: \Label.pages, ordered: true) var pages: RelatedObjects<Label>
  }

  final class Label: ManagedObject {
    @Attribute(.unique) var number: Int64?
    @ToMany var notes: RelatedObjects<Note>
    @ToMany var pages: RelatedObjects<Note>
  }

  static var classes: [SyncedClass] {
    [
      SyncedClass(Note.self, key: \.number, created: .idempotencyKey, lists: [\.labels, \.pages]),
      SyncedClass(Label.self, key: \.number, created: .idempotencyKey),
    ]
  }
}

private enum NewBoard {
  final class Paper: ManagedObject {
    @Attribute(.unique) var number: Int64?
    @ToMany(inverse: \Mark.papers) var marks: RelatedObjects<Mark>
    @ToMany(inverse: \Mark.pages, ordered: true) var sheets: RelatedObjects<Mark>
  }

  final class Mark: ManagedObject {
    @Attribute(.unique) var number: Int64?
    @ToMany var papers: RelatedObjects<Paper>
    @ToMany var pages: RelatedObjects<Paper>
  }

  static let steps: [MigrationStep] = [
    .renameClass("Note", to: "Paper", in: 2), .renameClass("Label", to: "Mark", in: 2),
    .rename("labels", of: "Paper", to: "marks", in: 2), .rename("pages", of: "Paper", to: "sheets", in: 2),
    .rename("notes", of: "Mark", to: "papers", in: 2),
  ]

  static var classes: [SyncedClass] {
    [
      SyncedClass(Paper.self, key: \.number, created: .idempotencyKey, lists: [\.marks, \.sheets]),
      SyncedClass(Mark.self, key: \.number, created: .idempotencyKey),
    ]
  }
}

@Suite struct StoredMigrationTests {
  @Test func `lists that wait, are in flight or lack members follow renamed relationships`() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "larder-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appending(path: "rows.store")
    func list(_ members: SyncValue..., isOrdered: Bool) -> SyncValue { .list(SyncList(members, isOrdered: isOrdered)) }
    let none = Fields(count: 0)
    let labels = [1, 2].map { SyncRow(RowID(1, $0), key: SyncKey($0 + 10), now: none, base: .same) }
    var note = SyncRow(
      RowID(0, 1), key: 7,
      now: Fields([
        list(.object(1), .key(99), isOrdered: false), list(.object(2), .key(98), .object(1), isOrdered: true),
      ]),
      base: .known(
        Fields([
          list(.object(2), .key(97), isOrdered: false), list(.key(98), .object(1), .object(2), isOrdered: true),
        ])))
    note.sent = SyncRow.Sent(
      push: 3, index: 0, kind: .update, fields: Fields([nil, list(.object(1), .key(98), isOrdered: true)]), commit: 0,
      attempts: 1)
    let rows = labels + [note]
    do {
      let schema = Schema(OldBoard.Note.self, OldBoard.Label.self).synchronizing(OldBoard.classes)
      let container = try await PersistentContainer(at: .file(file), schema: schema)
      try await write(rows, [], [], nil, to: container, SyncedTables(container.schema, OldBoard.classes))
      await container.close()
    }
    let schema = Schema(NewBoard.Paper.self, NewBoard.Mark.self).version(2, NewBoard.steps)
      .synchronizing(NewBoard.classes)
    let container = try await PersistentContainer(at: .file(file), schema: schema)
    let tables = try SyncedTables(container.schema, NewBoard.classes)
    let found = try await container.newContext().persist { space in
      try space.applyRemote { writer in
        let store = StoredRows(space, writer, tables)
        return (
          try rows.map { try store.row($0.id) }, try store.waiting(for: 97, in: 1).map(\.attribute),
          try store.referrers(of: RowID(1, 2)).map(\.attribute)
        )
      }
    }
    #expect(found.0 == rows)
    #expect(found.1 == [0])
    #expect(found.2 == [0, 1])
    await container.close()
  }

  @Test
  func
    `what is in flight, owed, rejected, reported, to be performed or has not arrived follows renamed classes and attributes`()
    async throws
  {
    let folder = FileManager.default.temporaryDirectory.appending(path: "larder-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appending(path: "rows.store")
    let title = SyncValue.plain(.text("Emma"))
    let absent = SyncValue.key(SyncKey(.integer(99)))
    var first = SyncRow(RowID(1, 1), key: SyncKey(.integer(7)), now: Fields([title, absent]), base: .same)
    first.version = .ordered(5)
    first.sent = SyncRow.Sent(
      push: 3, index: 0, kind: .update, fields: Fields([title, nil]), commit: 0, attempts: 2)
    var second = SyncRow(
      RowID(1, 2), key: SyncKey(.integer(8)), now: Fields([title, .null]), base: .known(Fields([.null, .null])))
    second.hold = .rejected(reason: "no", Fields([title, .null]))
    let arrived = RemoteRow(RemoteName(1, SyncKey(.integer(9))), version: nil, Fields([title, absent]))
    let report = ConflictReport(
      row: RowID(1, 1), key: nil, kind: .attribute(0, base: nil, mine: title, theirs: .null), choice: .theirs)
    let rows = [first, second]
    var command = StoredCommand(id: 5, "lend", Data("today".utf8), queue: "desk", after: [RowID(1, 1), RowID(0, 4)])
    (command.keys, command.state) = ([SyncKey(.integer(7)), SyncKey(.integer(4))], .sending(attempts: 2))
    do {
      let schema = Schema(Old.Shelf.self, Old.Book.self).synchronizing(Old.classes)
      let container = try await PersistentContainer(at: .file(file), schema: schema)
      try await write(rows, [arrived], [report], command, to: container, SyncedTables(container.schema, Old.classes))
      await container.close()
    }
    let steps: [MigrationStep] = [
      .renameClass("Shelf", to: "Rack", in: 2), .renameClass("Book", to: "Volume", in: 2),
      .rename("title", of: "Volume", to: "name", in: 2), .rename("shelf", of: "Volume", to: "rack", in: 2),
      .rename("books", of: "Rack", to: "volumes", in: 2),
    ]
    let schema = Schema(New.Rack.self, New.Volume.self).version(2, steps).synchronizing(New.classes)
    let container = try await PersistentContainer(at: .file(file), schema: schema)
    let tables = try SyncedTables(container.schema, New.classes)
    #expect(tables.model.classes.map(\.name) == ["Rack", "Volume"])
    let found = try await container.newContext().persist { space in
      try space.applyRemote { writer in
        let store = StoredRows(space, writer, tables)
        return (
          try rows.map { try store.row($0.id) }, try store.arrived(in: 1), try store.reports(),
          try store.waiting(for: SyncKey(.integer(99)), in: 0).map(\.row), try store.commands()
        )
      }
    }
    #expect(found.0 == rows)
    #expect(found.1 == [arrived])
    #expect(found.2 == [report])
    #expect(found.3 == [RowID(1, 1)])
    #expect(found.4 == [command])
    await container.close()
  }

  @Test func `a command about an object of a class that was removed is rejected, and not performed without it`()
    async throws
  {
    let file = FileManager.default.temporaryDirectory.appending(path: "larder-\(UUID().uuidString).store")
    defer { try? FileManager.default.removeItem(at: file) }
    let command = StoredCommand(id: 5, "lend", Data(), queue: "", after: [RowID(1, 1)])
    do {
      let schema = Schema(Old.Shelf.self, Old.Book.self).synchronizing(Old.classes)
      let container = try await PersistentContainer(at: .file(file), schema: schema)
      let tables = try SyncedTables(container.schema, Old.classes)
      try await container.newContext().persist { try StoredRows.enqueue(command, tables, in: $0) }
      await container.close()
    }
    let classes = [SyncedClass(Alone.Shelf.self, key: \.number, created: .idempotencyKey)]
    let schema = Schema(Alone.Shelf.self).version(2).synchronizing(classes)
    let container = try await PersistentContainer(at: .file(file), schema: schema)
    let tables = try SyncedTables(container.schema, classes)
    let found = try await container.newContext().persist { space in
      try space.applyRemote { writer in
        var store = StoredRows(space, writer, tables)
        var machine = SyncMachine(tables.model, RemoteCapabilities(), scopes: [])
        let actions = try machine.handle(.started, at: 0, &store)
        return (actions, try store.commands())
      }
    }
    #expect(found.0.isEmpty)
    #expect(found.1.map(\.rows) == [[nil]])
    #expect(found.1.map(\.state) == [.rejected(reason: "an object that it needs does not exist any more")])
    await container.close()
  }

  private func write(
    _ rows: [SyncRow], _ arrived: [RemoteRow], _ reports: [ConflictReport], _ command: StoredCommand?,
    to container: PersistentContainer, _ tables: SyncedTables
  ) async throws {
    try await container.newContext().persist { space in
      try StoredRows.create(in: space)
      try space.applyRemote { writer in
        let store = StoredRows(space, writer, tables)
        for row in rows {
          let new = RemoteRow(RemoteName(row.id.entity, row.key ?? SyncKey(.null)), row.now ?? Fields([nil, nil]))
          guard try store.insert([new], in: row.id.entity) == [row.id] else { throw CocoaError(.featureUnsupported) }
          try store.put(row)
        }
        try store.setArrived(arrived, in: 1)
        for report in reports { try store.report(report) }
      }
      guard let command else { return }
      try StoredRows.enqueue(command, tables, in: space)
      try space.applyRemote { writer in try StoredRows(space, writer, tables).put(command) }
    }
  }
}
