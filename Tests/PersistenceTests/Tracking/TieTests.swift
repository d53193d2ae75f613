import Foundation
import Testing

@testable import Persistence

@Suite struct TieTests {
  private let tracked: TrackedStore
  private let ids: [Int64]

  init() throws {
    tracked = try TrackedStore()
    ids = try tracked.insertTitles(1, 2, 3)
  }

  private func persist(_ body: (ObjectSpace) throws -> Void) throws { try tracked.space.persist(body) }

  private func titles(_ keys: Int...) -> [String] { keys.map { "Title \(ids[$0 - 1])" } }

  @Test func `a commit ties the tracked rows that it changes, and the next commit others`() throws {
    try persist { objects in
      let titles = try objects.fetch(Title.self)
      titles[0].name = "changed"
      objects.delete(titles[2])
      objects.insert(Review.self).title = titles[1]
      objects.insert(House.self).name = "not tracked"
    }
    try persist { objects in try objects.update(Title.self, where: { $0.rating > 0 }, set: [.set(\.rating, to: 3)]) }
    #expect(try tracked.file.ties == [["Review 1"] + titles(1, 3), titles(1, 2)])
  }

  @Test func `a single row is no tie`() throws {
    try persist { try $0.fetch(Title.self)[0].name = "changed" }
    try persist { objects in
      try objects.fetch(Title.self)[0].name = "again"
      objects.insert(House.self).name = "not tracked"
    }
    #expect(try tracked.file.ties.isEmpty)
  }

  @Test func `rows of which only ignored or independent attributes change are not tied, but have a base`() throws {
    try persist { objects in
      let titles = try objects.fetch(Title.self)
      (titles[0].year, titles[1].untouched, titles[2].name) = (7, "local", "changed")
    }
    #expect(try tracked.file.ties.isEmpty)
    #expect(try tracked.base == [ids[0]: .title(1), ids[2]: .title(3)])
    try persist { objects in try objects.update(Title.self, where: { $0.rating > 0 }, set: [.set(\.year, to: 8)]) }
    #expect(try tracked.file.ties.isEmpty)
  }

  @Test func `the rows of a class of which too many change are not tied`() throws {
    let count = BulkChanges.limit + 1
    try persist { objects in
      objects.insert(Review.self).text = "one"
      objects.insert(Review.self).text = "two"
      try objects.import(
        (1...count).map { Int64($0) }, into: Title.self, matching: \.remoteID,
        [.set(\.remoteID) { $0 + 1000 }])
    }
    #expect(try tracked.file.ties == [["Review 1", "Review 2"]])
    #expect(try tracked.base.count == count)
  }

  @Test func `each context of a container ties what it commits`() async throws {
    let container = try await PersistentContainer(at: .file(tracked.folder.file), schema: TrackedStore.schema)
    try await container.newContext().persist { objects in
      for title in try objects.fetch(Title.self) { title.name = "a" }
    }
    try await MainActor.run {
      for title in try container.viewContext.fetch(Title.self).prefix(2) { title.name = "b" }
      try container.viewContext.save()
    }
    #expect(try tracked.file.ties == [titles(1, 2, 3), titles(1, 2)])
  }
}
