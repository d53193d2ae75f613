import Foundation
import Persistence
import Testing

@Suite struct ImportTests {
  let store: TemporaryStore

  init() throws { store = try TemporaryStore() }

  private func open() async throws -> PersistentContainer {
    try await PersistentContainer(at: .file(store.file), schema: TitleRow.schema)
  }

  private func seen(_ container: PersistentContainer) async throws -> [String] {
    try await container.newContext().perform { objects in
      try objects.fetch(Title.self, sort: [.ascending(\.remoteID)]).map(\.seen)
    }
  }

  private func expected(_ numbers: Range<Int>) -> [String] {
    numbers.map { "\($0) Title \($0) \(Double($0) / 2) \($0 % 3 == 0 ? -1 : $0) comedy as it was" }
  }

  @Test(arguments: [0, 1, 15, 16, 17, 100])
  func `an import inserts objects for new keys and updates those of existing keys`(_ count: Int) async throws {
    let container = try await open()
    let context = container.newContext()
    let first = try await context.persist { objects in
      try objects.import((0..<count).map(TitleRow.make), into: Title.self, matching: \.remoteID, TitleRow.fields)
    }
    #expect(first.rows == count && first.inserted == count)
    #expect(try await seen(container) == expected(0..<count))
    // Half of the rows again, and as many new ones
    try await context.persist { objects in
      for title in try objects.fetch(Title.self) { title.untouched = "kept"; title.rating = -1 }
    }
    let ids = try await context.perform { try $0.fetch(Title.self).map(\.id) }
    let second = try await container.newContext().persist { objects in
      let rows = (count / 2..<count + count / 2).map(TitleRow.make)
      return try objects.import(rows, into: Title.self, matching: \.remoteID, TitleRow.fields)
    }
    #expect(second.inserted == count / 2 && second.rows == count / 2 * 2 + count % 2)
    let all = try await seen(container)
    #expect(all.count == count + count / 2)
    for (number, text) in all.enumerated() where number >= count / 2 {
      let isOld = number < count
      #expect(text == expected(number..<number + 1)[0].replacing("as it was", with: isOld ? "kept" : "as it was"))
    }
    #expect(try await container.newContext().perform { try $0.fetch(Title.self).map(\.id) }.starts(with: ids))
    #expect(try await container.integrityCheck().isIntact)
  }

  @Test func `an import field whose closure writes other objects keeps its own value`() async throws {
    let container = try await open()
    try await container.newContext().persist { objects in
      var fields = TitleRow.fields
      // A field's closure may query the store, which writes pending changes.
      fields.append(
        .set(\.untouched) { row in
          objects.insert(House.self).name = "A house for \(row.name)"
          do { return "among \(try objects.count(House.self) > 0)" } catch { return "\(error)" }
        })
      _ = try objects.import((0..<40).map(TitleRow.make), into: Title.self, matching: \.remoteID, fields)
    }
    #expect(try await seen(container) == expected(0..<40).map { $0.replacing("as it was", with: "among true") })
  }

  @Test func `ids of imported objects are never reused`() async throws {
    let container = try await open()
    let (one, other) = (container.newContext(), container.newContext())
    // The other context has reserved ids
    let before = try await other.persist { $0.insert(Title.self).id }
    try await one.persist { objects in
      _ = try objects.import((0..<50).map(TitleRow.make), into: Title.self, matching: \.remoteID, TitleRow.fields)
    }
    var ids = Set(try await one.perform { try $0.fetch(Title.self).map(\.id) })
    #expect(ids.count == 51 && ids.contains(before))
    for context in [one, other, try await open().newContext()] {
      for _ in 0..<100 { ids.insert(try await context.persist { $0.insert(Title.self).id }) }
    }
    #expect(ids.count == 351)
  }

  /// - Parameter period: The number of rows after which the inserted objects are counted; 0 for never.
  @Test(arguments: [0, 1, 7, 50], [0, 40])
  func `import fields may insert objects of the imported class`(period: Int, existing: Int) async throws {
    let container = try await open()
    let (context, other) = (container.newContext(), container.newContext())
    try await other.persist { objects in
      for number in 0..<existing { objects.insert(Title.self).remoteID = Int64(number) * 3 }
    }
    let count = 300
    let report = try await context.persist { objects in
      var calls = 0
      // Before the import, ids are reserved for both contexts.
      objects.insert(Title.self).name = "meanwhile"
      let report = try objects.import(
        0..<count, into: Title.self, matching: \.remoteID,
        [
          .set(\.remoteID) { Int64($0) },
          .set(\.name) { number in
            calls += 1
            for _ in 0...(number % 2) { objects.insert(Title.self).name = "meanwhile" }
            if period > 0, calls % period == 0 { _ = try? objects.count(Title.self) }
            return "row \(number)"
          },
        ])
      #expect(calls == count)
      return report
    }
    #expect(report.rows == count && report.inserted == count - (0..<existing).count { $0 * 3 < count })
    let names = try await other.perform { objects in
      try objects.fetch(Title.self, sort: [.ascending(\.remoteID)]).map(\.name)
    }
    #expect(names.count { $0 == "meanwhile" } == 1 + count / 2 * 3)
    #expect(names.filter { $0.hasPrefix("row") } == (0..<count).map { "row \($0)" })
    // No context assigns an id that another one has used.
    for context in [other, context, container.newContext()] {
      try await context.persist { objects in for _ in 0..<200 { _ = objects.insert(Title.self) } }
    }
    let total = try await other.perform { try $0.count(Title.self) }
    #expect(total == names.count + 600)
  }

  @Test func `import fields that insert objects of another class take no reserved id`() async throws {
    let container = try await open()
    let context = container.newContext()
    try await context.persist { objects in
      for number in 0..<16 { objects.insert(Title.self).remoteID = Int64(number) }
    }
    try await context.persist { objects in
      // One statement whose rows all exist, and then a new row.
      let report = try objects.import(
        Array(0..<16) + [100], into: Title.self, matching: \.remoteID,
        [
          .set(\.remoteID) { Int64($0) },
          .set(\.name) { number in
            objects.insert(House.self).name = "\(number)"
            do { return "\(try objects.count(House.self))" } catch { return "\(error)" }
          },
        ])
      #expect(report.inserted == 1)
      objects.insert(Title.self).remoteID = 1_000
    }
    #expect(try await container.newContext().perform { try $0.count(Title.self) } == 18)
  }

  @Test(arguments: [0, 3])
  func `import fields may delete imported objects, and ids stay unique`(period: Int) async throws {
    let container = try await open()
    let (context, other) = (container.newContext(), container.newContext())
    try await other.persist { _ = $0.insert(Title.self) }
    let report = try await context.persist { objects in
      try objects.import(
        0..<64, into: Title.self, matching: \.remoteID,
        [
          .set(\.remoteID) { Int64($0) + 10 },
          .set(\.name) { number in
            if number == 40 {
              do {
                if period == 0 {
                  try objects.delete(Title.self, where: { $0.remoteID >= 10 })
                } else {
                  for title in try objects.fetch(Title.self, where: { $0.remoteID >= 10 }) { objects.delete(title) }
                }
              } catch {
                return "\(error)"
              }
            }
            return ""
          },
        ])
    }
    // A statement has sixteen rows: when the 41st row is computed, 32 are stored.
    #expect(report.rows == 64 && report.inserted == 64)
    #expect(try await container.newContext().perform { try $0.count(Title.self, where: { $0.name != "" }) } == 0)
    for context in [other, context, container.newContext()] {
      try await context.persist { objects in for _ in 0..<100 { _ = objects.insert(Title.self) } }
    }
    #expect(try await other.perform { try $0.count(Title.self) } == 1 + 32 + 300)
  }

  @Test(
    .enabled(if: SQLiteShell.isAvailable, "needs the sqlite3 command"),
    arguments: ["9223372036854775800", "9223372036854775807", "1e300"])
  func `an import fails with its reason when no ids are left`(next: String) async throws {
    try await open().newContext().persist { _ = $0.insert(Title.self) }
    try await SQLiteShell.run("UPDATE _larder_ids SET next=\(next)", on: store.file)
    let context = try await open().newContext()
    await #expect {
      try await context.persist { objects in
        _ = try objects.import((0..<20).map(TitleRow.make), into: Title.self, matching: \.remoteID, TitleRow.fields)
      }
    } throws: { error in
      guard case .full = error as? PersistenceError else { return false }
      return "\(error)".contains("no ids left for Title")
    }
    #expect(try await context.perform { try $0.count(Title.self) } == 1)
  }

  @Test func `import fields may import other rows of the same class`() async throws {
    let container = try await open()
    let context = container.newContext()
    let report = try await context.persist { objects in
      try objects.import(
        0..<100, into: Title.self, matching: \.remoteID,
        [
          .set(\.remoteID) { Int64($0) },
          .set(\.name) { number in
            let rows = (0..<3).map { number * 10 + $0 + 1000 }
            _ = try? objects.import(
              rows, into: Title.self, matching: \.remoteID,
              [.set(\.remoteID) { Int64($0) }, .set(\.name) { "inner \($0)" }])
            if number % 4 == 0 { _ = objects.insert(Title.self) }
            return "outer \(number)"
          },
        ])
    }
    #expect(report.rows == 100 && report.inserted == 100)
    let names = try await container.newContext().perform { objects in
      try objects.fetch(Title.self, where: { !($0.remoteID == nil) }, sort: [.ascending(\.remoteID)]).map(\.name)
    }
    #expect(names.prefix(100) == (0..<100).map { "outer \($0)" }[...] && names.count == 400)
    #expect(try await context.perform { try $0.count(Title.self) } == 425)
  }

  @Test func `importing the same key twice gives one object with the later values`() async throws {
    let container = try await open()
    let report = try await container.newContext().persist { objects in
      let rows = (0..<40).map { number in TitleRow(id: Int64(number % 4), name: "\(number)") }
      return try objects.import(rows, into: Title.self, matching: \.remoteID, TitleRow.fields)
    }
    #expect(report.rows == 40 && report.inserted == 4)
    #expect(
      try await container.newContext().perform { try $0.fetch(Title.self).map(\.name) } == ["36", "37", "38", "39"])
    // Without a key, each row is a new object
    let new = try await container.newContext().persist { objects in
      try objects.import([TitleRow(), TitleRow()], into: Title.self, matching: \.remoteID, TitleRow.fields)
    }
    #expect(new.inserted == 2)
  }

  @Test func `an import changes objects in memory, and a failing closure restores them`() async throws {
    let container = try await open()
    let view = container.viewContext
    try await MainActor.run {
      let titles = (0..<20).map { number in
        let title = view.insert(Title.self)
        title.remoteID = Int64(number)
        title.name = "old"
        return title
      }
      try view.save()
      titles[3].name = "pending"
      #expect(throws: PersistenceError.self) {
        try view.persist { objects in
          try objects.import((0..<30).map(TitleRow.make), into: Title.self, matching: \.remoteID, TitleRow.fields)
          #expect(titles.map(\.name) == (0..<20).map { "Title \($0)" })
          throw Stop()
        }
      }
      #expect(titles.enumerated().allSatisfy { $1.name == ($0 == 3 ? "pending" : "old") && $1.rating == 1.5 })
      try view.persist { objects in
        _ = try objects.import((0..<30).map(TitleRow.make), into: Title.self, matching: \.remoteID, TitleRow.fields)
        titles[5].name = "changed afterwards"
      }
      #expect(titles[3].name == "Title 3" && titles[5].name == "changed afterwards")
      // And they can be changed and saved
      titles[5].name = "again"
      titles[6].name = "again"
      try view.save()
    }
    let names = try await container.newContext().perform { objects in
      try objects.fetch(Title.self, where: { $0.name == "again" }).count
    }
    #expect(names == 2)
  }

  @Test func `an import with a value that cannot be stored stores nothing`() async throws {
    let container = try await open()
    let bad = (0..<40).map { number in TitleRow(id: Int64(number), rating: number == 25 ? .nan : 1) }
    await #expect {
      try await container.newContext().persist { objects in
        _ = objects.insert(Title.self)
        // Catching the error does not save the rest either
        _ = try? objects.import(bad, into: Title.self, matching: \.remoteID, TitleRow.fields)
      }
    } throws: { error in
      guard case .invalidValue(let value) = error as? PersistenceError else { return false }
      return value.attribute == "rating" && value.id == 25
    }
    await #expect {
      try await container.newContext().persist { objects in
        let names = ["a", "b"]
        try objects.import(names, into: Title.self, matching: \.remoteID, [.set(\.name) { $0 }])
      }
    } throws: { error in
      guard case .unsupportedQuery(let refusal) = error as? PersistenceError else { return false }
      return refusal.reason.contains("must be a unique attribute")
    }
    await #expect {
      try await container.newContext().perform { objects in
        try objects.import(bad, into: Title.self, matching: \.remoteID, TitleRow.fields)
      }
    } throws: { error in
      guard case .notPersisting = error as? PersistenceError else { return false }
      return true
    }
    #expect(try await seen(container).isEmpty)
  }

  @Test func `an import sets relationships by id, and a missing target is a conflict`() async throws {
    let container = try await open()
    let studio = try await container.newContext().persist { objects in
      let studio = objects.insert(House.self)
      studio.name = "A24"
      return studio.id
    }
    for (id, isThere) in [(studio, true), (ObjectID<House>(rawValue: 999), false)] {
      do {
        _ = try await container.newContext().persist { objects in
          let fields: [ImportField<Title, Int>] = [.set(\.remoteID) { Int64($0) }, .set(\.studio, id: { _ in id })]
          return try objects.import(0..<20, into: Title.self, matching: \.remoteID, fields)
        }
        #expect(isThere)
      } catch {
        guard case .conflict(let conflict) = error else { throw error }
        #expect(!isThere && conflict.kind == .dangling)
      }
      #expect(try await container.newContext().perform { try $0.object(studio).titles.count } == 20)
    }
  }

  @Test func `the commit sequence reports imported objects`() async throws {
    let container = try await open()
    var commits = container.commits.makeAsyncIterator()
    try await container.newContext().persist { objects in
      _ = try objects.import((0..<20).map(TitleRow.make), into: Title.self, matching: \.remoteID, TitleRow.fields)
    }
    let first = try #require(await commits.next())
    #expect(first.changes(of: Title.self).map(\.kind) == Array(repeating: .inserted, count: 20))
    try await container.newContext().persist { objects in
      _ = try objects.import((18..<22).map(TitleRow.make), into: Title.self, matching: \.remoteID, TitleRow.fields)
    }
    let second = try #require(await commits.next())
    #expect(second.changes(of: Title.self).map(\.kind) == [.updated, .updated, .inserted, .inserted])
    #expect(first.changes(of: Title.self).map(\.id).suffix(2) == second.changes(of: Title.self).map(\.id).prefix(2))
    // A very large import reports only that the class may have changed
    try await container.newContext().persist { objects in
      _ = try objects.import((0..<70_000).map(TitleRow.make), into: Title.self, matching: \.remoteID, TitleRow.fields)
    }
    let third = try #require(await commits.next())
    #expect(third.affects(Title.self) && !third.isComplete(for: Title.self))
  }
}
