import Foundation
import Persistence
import Testing

/// Groups by several keys, through relationships, and with conditions on the groups.
@Suite struct GroupTests {
  let container: PersistentContainer

  init() async throws {
    container = try await PersistentContainer.shows()
    try await container.newContext().persist { objects in
      objects.insertThreeShows()
      let show = objects.insert(Show.self)
      (show.key, show.year, show.genre, show.episodes) = ("d", 1990, .drama, 5)
    }
  }

  @Test func `shows are grouped by several keys, with several values for each group`() async throws {
    try await container.newContext().perform { objects in
      let groups = try objects.groups(
        in: FetchDescriptor(Show.self), by: { ($0.genre, $0.year) },
        of: { ($0.count, $0.sum { $0.episodes }, $0.average { $0.rating }, $0.maximum { $0.name }) })
      #expect(groups.map(\.key.0) == [.comedy, .drama, .war] && groups.map(\.key.1) == [2000, 1990, 2010])
      #expect(groups.map(\.value.0) == [1, 2, 1] && groups.map(\.value.1) == [0, 15, -3])
      #expect(groups.map(\.value.2) == [nil, 7.5, 9] && groups.map(\.value.3) == ["Beta", "Alpha", "Café Gamma"])
    }
  }

  @Test func `shows are grouped by a related object or one of its attributes`() async throws {
    try await container.newContext().perform { objects in
      let studio = try #require(try objects.first(Studio.self))
      let byStudio = try objects.groups(
        in: FetchDescriptor(Show.self), by: { $0.studio.id.optional }, of: { $0.count })
      #expect(byStudio.map(\.key) == [nil, studio.id] && byStudio.map(\.value) == [2, 2])
      let byName = try objects.groups(
        in: FetchDescriptor(Show.self, where: { $0.year < 2005 }), by: { $0.studio.name ?? "none" },
        of: { ($0.count { $0.seen }, $0.minimum { $0.studio.name }) })
      #expect(byName.map(\.key) == ["Mosfilm", "none"])
      #expect(byName.map(\.value.0) == [1, 0] && byName.map(\.value.1) == ["Mosfilm", nil])
    }
  }

  @Test func `a condition selects the groups, and a limit the shows that are grouped`() async throws {
    try await container.newContext().perform { objects in
      let many = try objects.groups(
        in: FetchDescriptor(Show.self), by: { $0.genre }, having: { $0.count > 1 && $0.maximum { $0.year } == 1990 },
        of: { $0.count })
      #expect(many.map(\.key) == [.drama] && many.map(\.value) == [2])
      let late = try objects.groups(
        in: FetchDescriptor(Show.self, sort: [.descending(\.year)], limit: 2), by: { $0.studio.name.optional },
        of: { $0.sum { $0.year } })
      #expect(late.map(\.key) == [nil, "Mosfilm"] && late.map(\.value) == [2010, 2000])
    }
  }

  @Test func `a group has values of a to-many relationship, and unsaved changes`() async throws {
    try await container.newContext().perform { objects in
      let ann = try #require(try objects.first(Actor.self, where: { $0.name == "Ann" }))
      for show in try objects.fetch(Show.self) { show.cast.insert(ann) }
      let groups = try objects.groups(
        in: FetchDescriptor(Show.self), by: { $0.genre }, of: { $0.sum { $0.cast.count } })
      #expect(groups.map(\.key) == [.comedy, .drama, .war] && groups.map(\.value) == [2, 3, 1])
    }
  }

  @Test func `a group key that may be nil needs an optional type, and a sum must fit`() async throws {
    try await container.newContext().perform { objects in
      #expect(throws: PersistenceError.self) {
        _ = try objects.groups(in: FetchDescriptor(Show.self), by: { $0.studio.name }, of: { $0.count })
      }
      let show = try #require(try objects.first(Show.self))
      show.episodes = .max
      #expect {
        _ = try objects.groups(in: FetchDescriptor(Show.self), by: { $0.genre }, of: { $0.sum { $0.episodes } })
      } throws: {
        if case PersistenceError.sumOverflow = $0 { true } else { false }
      }
    }
  }
}
