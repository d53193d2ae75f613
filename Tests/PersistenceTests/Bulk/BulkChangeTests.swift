import Foundation
import Persistence
import Testing

@Suite struct BulkChangeTests {
  let store: TemporaryStore

  init() throws { store = try TemporaryStore() }

  private func filled(_ count: Int = 50) async throws -> PersistentContainer {
    let container = try await PersistentContainer(at: .file(store.file), schema: TitleRow.schema)
    try await container.newContext().persist { objects in
      let studio = objects.insert(House.self)
      let tags = (0..<3).map { number in
        let tag = objects.insert(Tag.self)
        tag.text = "\(number)"
        return tag
      }
      for number in 0..<count {
        let title = objects.insert(Title.self)
        title.remoteID = Int64(number)
        title.year = number
        title.studio = studio
        title.tags.insert(tags[number % 3])
        let review = objects.insert(Review.self)
        review.text = "of \(number)"
        review.title = title
      }
    }
    return container
  }

  @Test func `a bulk update changes all matching objects and reports their ids`() async throws {
    let container = try await filled()
    var commits = container.commits.makeAsyncIterator()
    let count = try await container.newContext().persist { objects in
      try objects.update(
        Title.self, where: { $0.year >= 20 && $0.year < 30 }, set: [.set(\.name, to: "middle"), .set(\.year, to: nil)])
    }
    #expect(count == 10)
    let changes = try #require(await commits.next()).changes(of: Title.self)
    #expect(changes.count == 10 && changes.allSatisfy { $0.kind == .updated })
    let found = try await container.newContext().perform { objects in
      (
        try objects.fetch(Title.self, where: { $0.name == "middle" }).map { $0.remoteID ?? 0 },
        try objects.count(Title.self)
      )
    }
    #expect(found.0 == Array(20..<30) && found.1 == 50)
  }

  @Test func `a bulk update changes objects in memory, and a failing closure restores them`() async throws {
    let container = try await filled()
    let view = container.viewContext
    try await MainActor.run {
      let titles = try view.fetch(Title.self, where: { $0.year < 10 })
      #expect(throws: PersistenceError.self) {
        try view.persist { objects in
          let count = try objects.update(Title.self, set: [.set(\.rating, to: 9)])
          #expect(count == 50 && titles.allSatisfy { $0.rating == 9 })
          throw Stop()
        }
      }
      #expect(titles.allSatisfy { $0.rating == 1.5 } && !view.hasChanges)
      _ = try view.persist { try $0.update(Title.self, set: [.set(\.rating, to: 9)]) }
      #expect(titles.allSatisfy { $0.rating == 9 })
      titles[0].rating = 8
      try view.save()
    }
    let ratings = try await container.newContext().perform { try $0.fetch(Title.self).map(\.rating) }
    #expect(ratings == [8] + Array(repeating: 9, count: 49))
  }

  @Test func `a bulk update that violates uniqueness changes nothing`() async throws {
    let container = try await filled()
    await #expect {
      try await container.newContext().persist { objects in
        _ = try? objects.update(Title.self, where: { $0.year < 5 }, set: [.set(\.remoteID, to: 77)])
      }
    } throws: { error in
      guard case .notUnique(let violation) = error as? PersistenceError else { return false }
      return violation.attributes == ["remoteID"] && violation.type == "Title"
    }
    let ids = try await container.newContext().perform { try $0.fetch(Title.self).map { $0.remoteID ?? -1 } }
    #expect(ids == Array(0..<50))
  }

  @Test func `a bulk deletion follows the delete rules`() async throws {
    let container = try await filled()
    var commits = container.commits.makeAsyncIterator()
    let count = try await container.newContext().persist { try $0.delete(Title.self, where: { $0.year < 20 }) }
    #expect(count == 20)
    let changes = try #require(await commits.next())
    #expect(changes.changes(of: Title.self).map(\.kind) == Array(repeating: .deleted, count: 20))
    #expect(changes.changes(of: Review.self).map(\.kind) == Array(repeating: .deleted, count: 20))
    let found = try await container.newContext().perform { objects in
      [
        try objects.count(Title.self), try objects.count(Review.self), try objects.count(House.self),
        try objects.fetch(Tag.self).map(\.titles.count).reduce(0, +),
        try objects.fetch(House.self).map(\.titles.count).reduce(0, +),
      ]
    }
    #expect(found == [30, 30, 1, 30, 30])
    #expect(try await container.integrityCheck().isIntact)
    // The studio's titles stay without a studio
    #expect(try await container.newContext().persist { try $0.delete(House.self, matching: .all) } == 1)
    #expect(try await container.newContext().perform { try $0.fetch(Title.self).allSatisfy { $0.studio == nil } })
    #expect(try await container.integrityCheck().isIntact)
  }

  @Test func `a bulk deletion that a delete rule denies deletes nothing`() async throws {
    let container = try await filled()
    try await container.newContext().persist { objects in
      objects.insert(Reply.self).review = try objects.fetch(Review.self, where: { $0.text == "of 7" }).first
    }
    await #expect {
      try await container.newContext().persist { try $0.delete(Title.self, where: { $0.year < 20 }) }
    } throws: { error in
      guard case .deleteRule(let denial) = error as? PersistenceError else { return false }
      return denial.type == "Review" && denial.relationship == "replies"
    }
    #expect(try await container.newContext().perform { try $0.count(Title.self) } == 50)
    let count = try await container.newContext().persist { try $0.delete(Title.self, where: { $0.year > 7 }) }
    #expect(count == 42)
  }

  @Test func `a bulk deletion deletes objects in memory, and a failing closure restores them`() async throws {
    let container = try await filled()
    let view = container.viewContext
    try await MainActor.run {
      let titles = try view.fetch(Title.self, where: { $0.year < 10 })
      let reviews = try view.fetch(Review.self)
      #expect(throws: PersistenceError.self) {
        try view.persist { objects in
          #expect(try objects.delete(Title.self, where: { $0.year < 20 }) == 20)
          #expect(titles.allSatisfy(\.isDeleted) && reviews.count(where: \.isDeleted) == 20)
          #expect(try objects.count(Title.self) == 30)
          throw Stop()
        }
      }
      #expect(titles.allSatisfy { !$0.isDeleted } && reviews.allSatisfy { !$0.isDeleted })
      #expect(try view.count(FetchDescriptor(Title.self)) == 50)
      titles[0].name = "still here"
      _ = try view.persist { objects in try objects.delete(Title.self, where: { $0.year > 0 && $0.year < 20 }) }
      #expect(titles.map(\.isDeleted) == [false] + Array(repeating: true, count: 9))
      #expect(titles[0].reviews.count == 1 && reviews.count(where: \.isDeleted) == 19)
    }
    #expect(try await container.newContext().perform { try $0.fetch(Title.self).first?.name } == "still here")
    #expect(try await container.integrityCheck().isIntact)
  }

  @Test func `a bulk update reaches every object, including rows with ids from another program`() async throws {
    let first = try await store.open(Film.self, Director.self)
    try await first.newContext().persist { objects in for _ in 0..<600 { _ = objects.insert(Film.self) } }
    await first.close()
    try await SQLiteShell.run(
      "INSERT INTO Film(_id,title,year) VALUES(9000000000,'far',0),(-5,'farther',0)", on: store.file)
    let container = try await store.open(Film.self, Director.self)
    try await container.newContext().persist { objects in
      let films = try objects.fetch(Film.self)
      #expect(films.count == 602)
      #expect(try objects.update(Film.self, set: [.set(\.year, to: 7)]) == 602)
      #expect(films.allSatisfy { $0.year == 7 })
    }
  }
}
