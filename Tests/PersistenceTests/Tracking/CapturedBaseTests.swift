import Foundation
import Testing

@testable import Persistence

/// `OneRowTests` takes each pair and triple of ways to change a row. Here are the others.
@Suite struct CapturedBaseTests {
  private let tracked: TrackedStore

  init() throws { tracked = try TrackedStore() }

  private func persist(_ body: (ObjectSpace) throws -> Void) throws { try tracked.space.persist(body) }

  @Test func `the base of a row is what it was before its first change`() throws {
    let ids = try tracked.insertTitles(1, 2, 3)
    for name in ["first", "second"] { try persist { try $0.fetch(Title.self)[0].name = name } }
    try persist { objects in try objects.update(Title.self, where: { $0.remoteID == 2 }, set: [.set(\.year, to: 7)]) }
    try persist { objects in try objects.delete(Title.self, where: { $0.remoteID == 2 || $0.remoteID == 3 }) }
    #expect(try tracked.base == [ids[0]: .title(1), ids[1]: .title(2), ids[2]: .title(3)])
  }

  @Test func `a row that was inserted has no base, also after it was changed or deleted`() throws {
    try persist { objects in for key in 1...3 { objects.insert(Title.self).remoteID = Int64(key) } }
    try persist { try $0.fetch(Title.self)[0].name = "changed" }
    try persist { objects in objects.delete(try objects.fetch(Title.self)[2]) }
    #expect(try tracked.base == [1: .inserted, 2: .inserted, 3: .inserted])
  }

  @Test func `an import records the base of the rows that it changes, and no base of new ones`() throws {
    let ids = try tracked.insertTitles(1, 2)
    let rows = [1, 3].map { (key: Int64) in TitleRow(id: key, name: "title \(key)", rating: 1.5, genre: .drama) }
    try persist { _ = try $0.import(rows, into: Title.self, matching: \.remoteID, TitleRow.fields) }
    #expect(try tracked.base.map(\.value) == [.inserted])
    try persist { objects in
      let rows = (1...40).map(TitleRow.make)
      try objects.import(rows, into: Title.self, matching: \.remoteID, TitleRow.fields)
    }
    #expect(try tracked.base.filter { $0.value.kind == 0 } == [ids[0]: .title(1), ids[1]: .title(2)])
    #expect(try tracked.base.count == 40)
  }

  @Test(arguments: [false, true]) func `a cascade records the base of all rows that it deletes`(isBulk: Bool) throws {
    let ids = try tracked.insertTitles(1)
    try persist { objects in
      for text in ["a", "b"] {
        let review = objects.insert(Review.self)
        (review.text, review.title) = (text, try objects.fetch(Title.self)[0])
      }
    }
    try tracked.file.clear("Review")
    try persist { objects in
      if isBulk {
        try objects.delete(Title.self) { $0.remoteID == 1 }
      } else {
        objects.delete(try objects.fetch(Title.self)[0])
      }
    }
    #expect(try tracked.base == [ids[0]: .title(1)])
    let reviews = try tracked.file.base(of: "Review")
    #expect(reviews.mapValues(\.values["text"]) == [1: .text("a"), 2: .text("b")])
    #expect(reviews.values.allSatisfy { $0.values["title"] == .integer(ids[0]) })
  }

  @Test func `a row that undo restores keeps its base`() throws {
    let ids = try tracked.insertTitles(1)
    let deletion = try tracked.space.preview { $0.delete(try $0.fetch(Title.self)[0]) }
    try persist { $0.delete(try $0.fetch(Title.self)[0]) }
    try persist { try $0.apply(deletion.inverted) }
    try persist { try $0.fetch(Title.self)[0].name = "changed" }
    #expect(try tracked.base == [ids[0]: .title(1)])
  }

  @Test func `what another program writes is recorded`() throws {
    let ids = try tracked.insertTitles(1, 2)
    let program = try PlainSQLite(tracked.folder.file, hasFullTextSearch: false)
    try program.run("UPDATE Title SET name='theirs',_version=_version+1 WHERE remoteID=1")
    try program.run("DELETE FROM Title WHERE remoteID=2")
    try program.run("INSERT INTO Title(_id,name,rating,genre,untouched) VALUES(90,'new',1,'drama','')")
    #expect(try tracked.base == [ids[0]: .title(1), ids[1]: .title(2), 90: .inserted])
  }

  @Test func `an upsert of another program that ignores conflicts is recorded and succeeds`() throws {
    let ids = try tracked.insertTitles(1)
    let program = try PlainSQLite(tracked.folder.file)
    for name in ["one", "two"] {
      try program.run("UPDATE OR FAIL Title SET name='\(name)' WHERE remoteID=1")
      try program.run(
        "INSERT INTO Title(_id,remoteID,name,rating,genre,untouched) VALUES(91,1,'x',1,'drama','') "
          + "ON CONFLICT(remoteID) DO UPDATE SET name=excluded.name||'\(name)'")
    }
    #expect(try tracked.base == [ids[0]: .title(1)])
    #expect(try tracked.file.rows("SELECT name FROM Title") == ["xtwo"])
  }

  @Test func `what is rolled back leaves no record`() throws {
    try tracked.insertTitles(1)
    #expect(throws: PersistenceError.self) {
      try persist { objects in
        try objects.update(Title.self, where: { $0.remoteID == 1 }, set: [.set(\.year, to: 7)])
        objects.insert(Title.self).name = "new"
        throw Stop()
      }
    }
    _ = try tracked.space.preview { try $0.fetch(Title.self)[0].name = "previewed" }
    #expect(try tracked.base.isEmpty)
    #expect(try tracked.file.ties.isEmpty)
  }

  @Test func `an ignored attribute is not recorded, and is no part of a base`() throws {
    let ids = try tracked.insertTitles(1)
    try persist { try $0.fetch(Title.self)[0].untouched = "local" }
    #expect(try tracked.base.isEmpty)
    try persist { objects in
      let title = try objects.fetch(Title.self)[0]
      (title.untouched, title.name) = ("again", "changed")
    }
    #expect(try tracked.base == [ids[0]: .title(1)])
  }

  @Test func `an assignment of the same value is not recorded`() throws {
    try tracked.insertTitles(1)
    try persist { try $0.fetch(Title.self)[0].name = "title 1" }
    try persist { objects in try objects.update(Title.self, where: { $0.rating > 0 }, set: [.set(\.rating, to: 1.5)]) }
    #expect(try tracked.base.isEmpty)
  }

  @Test func `two rows that swap a unique value have their stored values as base`() throws {
    let ids = try tracked.insertTitles(1, 2)
    try persist { objects in
      let titles = try objects.fetch(Title.self)
      (titles[0].remoteID, titles[1].remoteID) = (2, 1)
    }
    #expect(try tracked.base == [ids[0]: .title(1), ids[1]: .title(2)])
  }
}
