import Foundation
import LarderTestSupport
import Testing

@testable import Persistence

private final class Tune: ManagedObject {
  @Attribute(.folded) var title = ""
  @Attribute(.folded, .unique) var alias: String?
  @Attribute var plain = ""
  @ToOne(inverse: \Tune.versions) var original: Tune?
  @ToMany var versions: RelatedObjects<Tune>
}

private enum Old {
  final class Tune: ManagedObject {
    @Attribute var title: String?
    @Attribute(.unique) var alias: String?
    @Attribute var plain = ""
    @ToOne(inverse: \Tune.versions) var original: Tune?
    @ToMany var versions: RelatedObjects<Tune>
  }
}

private enum Renamed {
  final class Tune: ManagedObject {
    @Attribute(.folded) var name = ""
    @Attribute(.unique) var alias: String?
    @Attribute var plain = ""
    @ToOne(inverse: \Tune.versions) var original: Tune?
    @ToMany var versions: RelatedObjects<Tune>
  }
}

private final class Wrong: ManagedObject {
  @Attribute(.folded) var number = 0
}

private final class Untouched: ManagedObject {
  @Attribute var text = ""
  @Attribute var maybe: String?
}

private final class Folded: ManagedObject {
  @Attribute(.folded) var text = ""
  @Attribute(.folded) var maybe: String?
}

/// Attributes whose folded text the store keeps.
@Suite struct FoldedAttributeTests {
  let store: TemporaryStore

  init() throws { store = try TemporaryStore() }

  private func rows(_ column: String = "title") async throws -> [String] {
    try await SQLiteShell.run("SELECT _folded_\(column) FROM Tune ORDER BY _id", on: store.file)
      .split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
  }

  @Test(.enabled(if: SQLiteShell.isAvailable, "needs the sqlite3 command"))
  func `every way to write a text writes its folded form, too`() async throws {
    let context = try await store.open(Tune.self).newContext()
    try await context.persist { objects in
      for number in 0..<40 { (objects.insert(Tune.self).title) = "É\(number)" }
    }
    #expect(try await rows() == (0..<40).map { "e\($0)" })
    try await context.persist { objects in
      for tune in try objects.fetch(Tune.self) where tune.id.rawValue > 5 { tune.title = "Ö" + tune.title.dropFirst() }
      try objects.object(ObjectID<Tune>(rawValue: 1)).title = "ß"
      try objects.object(ObjectID<Tune>(rawValue: 2)).alias = "Ñ"
    }
    #expect(try await rows() == ["ss", "e1", "e2", "e3", "e4"] + (5..<40).map { "o\($0)" })
    #expect(try await rows("alias").prefix(3) == ["", "n", ""])
    try await context.persist { objects in
      _ = try objects.update(Tune.self, where: { $0.title.folded.hasPrefix("O1") }, set: [.set(\.title, to: "ÜBER")])
      try objects.import(
        [("Ñ", "Straße"), ("Å", "İ")], into: Tune.self, matching: \.alias,
        [.set(\.alias) { $0.0 }, .set(\.title) { $0.1 }])
    }
    let folded = try await rows()
    #expect(folded[1] == "strasse" && folded.last == TextFolding.fold("İ") && folded.count { $0 == "uber" } == 10)
    #expect(try await rows("alias").last == "a")
    // Unique texts are swapped by way of placeholders.
    try await context.persist { objects in
      let tunes = try objects.fetch(Tune.self, where: { $0.alias != nil })
      (tunes[0].alias, tunes[1].alias) = (tunes[1].alias, tunes[0].alias)
    }
    #expect(try await rows("alias").filter { !$0.isEmpty } == ["a", "n"])
  }

  @Test func `conditions and sorting by a folded text use its index`() async throws {
    let context = try await store.open(Tune.self).newContext()
    try await context.persist { objects in
      for number in 0..<3000 { objects.insert(Tune.self).title = "T\(number)" }
    }
    try await context.perform { (objects) throws in
      for query in [Query<Tune> { $0.title.folded == "t5" }, Query<Tune> { $0.title.folded.hasPrefix("T1") }] {
        let explanation = try objects.explainSQL(FetchDescriptor(Tune.self, matching: query))
        #expect(
          explanation.plan.contains { $0.hasPrefix("SEARCH t0 USING INDEX Tune.title.folded.") }, "\(explanation)")
      }
      let sorted = FetchDescriptor(Tune.self, sort: [.ascending { $0.title.folded }])
      #expect(try objects.explainSQL(sorted).plan == ["SCAN t0 USING INDEX Tune.title.folded."])
      #expect(
        try objects.explainSQL(FetchDescriptor(Tune.self, sort: [.ascending { $0.plain.folded }])).plan.count == 2)
    }
  }

  @Test func `folded conditions and orders are the same with and without the option, and in memory`() async throws {
    let seed = Fuzzing.seed
    print("FoldedAttributeTests: LARDER_FUZZ_SEED=\(seed)")
    let context = try await store.open(Folded.self, Untouched.self).newContext()
    try await context.persist { objects in
      var random = SplitMix(seed: seed)
      for _ in 0..<150 {
        let (folded, untouched) = (objects.insert(Folded.self), objects.insert(Untouched.self))
        folded.text = random.pick(Hostile.texts) + random.pick(Hostile.texts)
        folded.maybe = random.chance(4) ? nil : random.pick(Hostile.texts)
        (untouched.text, untouched.maybe) = (folded.text, folded.maybe)
      }
    }
    try await context.perform { (objects) throws in
      let all = try objects.fetch(Folded.self)
      for part in Hostile.texts + Hostile.texts.map({ $0 + "a" }) {
        let queries: [(Query<Folded>, Query<Untouched>)] = [
          (Query { $0.text.folded == part }, Query { $0.text.folded == part }),
          (Query { $0.maybe.folded != part }, Query { $0.maybe.folded != part }),
          (Query { $0.text.folded.hasPrefix(part) }, Query { $0.text.folded.hasPrefix(part) }),
          (Query { $0.maybe.folded.hasPrefix(part) }, Query { $0.maybe.folded.hasPrefix(part) }),
          (Query { !$0.maybe.folded.contains(part) }, Query { !$0.maybe.folded.contains(part) }),
          (Query { $0.text.folded.hasSuffix(part) }, Query { $0.text.folded.hasSuffix(part) }),
          (Query { $0.text.folded.like(part + "%") }, Query { $0.text.folded.like(part + "%") }),
        ]
        for (number, (folded, untouched)) in queries.enumerated() {
          let found = try objects.fetchIDs(FetchDescriptor(matching: folded)).map(\.rawValue)
          #expect(
            try found == objects.fetchIDs(FetchDescriptor(matching: untouched)).map(\.rawValue),
            "\(number): \(part.debugDescription)")
          #expect(
            try found == all.filter { try folded.matches($0) }.map(\.id.rawValue), "\(number): \(part.debugDescription)"
          )
        }
      }
      for nulls in [Sort<Folded>.Nulls?.none, .first, .last] {
        let keys: [Sort<Folded>] = [.ascending(nulls: nulls) { $0.maybe.folded }, .descending(\.text)]
        let others: [Sort<Untouched>] = [
          .ascending(nulls: nulls == .last ? .last : .first) { $0.maybe.folded }, .descending(\.text),
        ]
        let ids = try objects.fetchIDs(FetchDescriptor(Folded.self, sort: keys)).map(\.rawValue)
        #expect(try ids == objects.fetchIDs(FetchDescriptor(Untouched.self, sort: others)).map(\.rawValue))
      }
      let values = try objects.values(in: FetchDescriptor(Folded.self)) { $0.maybe.folded.value }
      #expect(values == all.map { $0.maybe.map(TextFolding.fold) })
    }
  }

  @Test(.enabled(if: SQLiteShell.isAvailable, "needs the sqlite3 command"))
  func `a migration folds existing texts, keeps them through renaming and custom steps, and removes them`() async throws
  {
    try await store.open(Old.Tune.self).newContext().persist { objects in
      for title in [nil, "É", "ß"] { objects.insert(Old.Tune.self).title = title }
    }
    let schema = Schema(Tune.self).version(2)
    let preview = try await PersistentContainer.previewMigration(at: store.file, schema: schema)
    #expect(preview.steps.contains { $0.text == "fold the texts of Tune.title" && $0.rows == 3 })
    let container = try await PersistentContainer(at: .file(store.file), schema: schema)
    #expect(container.migration != nil)
    #expect(try await rows() == ["", "e", "ss"])
    let count = try await container.newContext().perform { try $0.count(Tune.self, where: { $0.title.folded == "SS" }) }
    #expect(count == 1)
    #expect(try await PersistentContainer(at: .file(store.file), schema: schema).migration == nil)
    let renamed = Schema(Renamed.Tune.self).version(
      3,
      [
        .rename("title", of: "Tune", to: "name", in: 3),
        .custom("new names", in: 3) { store in
          try store.update("Tune", id: 1, ["name": .text("Ä")])
          try store.execute("UPDATE Tune SET name = 'Ö' WHERE _id = 2")
          try store.insert(into: "Tune", ["name": .text("Ü"), "plain": .text("")])
        },
      ])
    let other = try await PersistentContainer(at: .file(store.file), schema: renamed)
    #expect(try await rows("name") == ["a", "o", "ss", "u"])
    let plan = try await other.newContext().perform {
      try $0.explainSQL(FetchDescriptor(Renamed.Tune.self, where: { $0.name.folded == "a" })).plan
    }
    #expect(plan.first?.contains("_folded_name=?") == true)
    #expect(try await PersistentContainer(at: .file(store.file), schema: renamed).migration == nil)
  }

  @Test func `removing the option loses nothing and needs no new version`() async throws {
    try await store.open(Folded.self).newContext().persist { $0.insert(Folded.self).text = "É" }
    let unfolded = try await PersistentContainer(at: .file(store.file), schema: Schema(Bare.Folded.self))
    #expect(unfolded.migration?.backup == nil && unfolded.migration != nil)
    let texts = try await unfolded.newContext().perform { try $0.fetch(Bare.Folded.self).map(\.text) }
    #expect(texts == ["É"])
  }

  @Test(.enabled(if: SQLiteShell.isAvailable, "needs the sqlite3 command"))
  func `a check finds folded texts that others did not write, and a rebuild mends them`() async throws {
    let container = try await store.open(Tune.self)
    try await container.newContext().persist { objects in
      for title in ["É", "ß", "a"] { objects.insert(Tune.self).title = title }
    }
    _ = try await SQLiteShell.run("UPDATE Tune SET _version=_version+1, title='Ö' WHERE _id<3", on: store.file)
    let report = try await container.integrityCheck()
    #expect(report.problems == ["the column _folded_title of Tune differs in 2 objects: rebuild it"])
    try await container.rebuildSearchIndexes()
    #expect(try await container.integrityCheck().isIntact)
    #expect(try await rows() == ["o", "o", "a"])
  }

  @Test func `only texts can be folded`() async throws {
    await #expect {
      _ = try await store.open(Wrong.self)
    } throws: { error in
      guard case .invalidSchema(let problems) = error as? PersistenceError else { return false }
      return problems.map(\.property) == ["number"] && problems[0].text.contains("String")
    }
  }
}

private enum Bare {
  final class Folded: ManagedObject {
    @Attribute var text = ""
    @Attribute var maybe: String?
  }
}
