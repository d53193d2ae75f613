import Foundation
import Persistence
import Testing

@Suite struct FetchTests {
  let container: PersistentContainer

  init() async throws {
    container = try await PersistentContainer.shows()
    try await container.newContext().persist { $0.insertThreeShows() }
  }

  @Test func `a fetch finds an object by a unique attribute`() async throws {
    let name = try await container.newContext().perform { objects in
      let key = "b"
      return try objects.fetch(Show.self, where: { $0.key == key }).map(\.name)
    }
    #expect(name == ["Beta"])
  }

  @Test func `a fetch finds objects by a predicate`() async throws {
    let keys = try await container.newContext().perform { objects in
      let name = "Alpha"
      return try objects.fetch(Show.self, matching: #Predicate { $0.name == name }).map(\.key)
    }
    #expect(keys == ["a"])
  }

  @Test func `a fetch sorts by a property in either direction`() async throws {
    let (up, down, both, other) = try await container.newContext().perform { objects in
      (
        try objects.fetch(Show.self, sort: \.key).map(\.key),
        try objects.fetch(Show.self, sort: [.descending(\.key)]).map(\.key),
        try objects.fetch(Show.self, matching: #Predicate { $0.seen }, sort: [.ascending(\.year)]).map(\.key),
        try objects.fetch(Show.self, where: { $0.year > 1990 }, sort: [.ascending(\.weight)]).map(\.key)
      )
    }
    #expect(up == ["a", "b", "c"])
    #expect(down == ["c", "b", "a"])
    #expect(both == ["a", "c"])
    #expect(other == ["b", "c"])
  }

  @Test func `a fetch sorts nil first, and equal values in the order of creation`() async throws {
    let (byRating, bySeen) = try await container.newContext().perform { objects in
      (
        try objects.fetch(Show.self, sort: \.rating).map(\.key),
        try objects.fetch(Show.self, sort: [.descending(\.seen)]).map(\.key)
      )
    }
    #expect(byRating == ["b", "a", "c"])
    #expect(bySeen == ["a", "c", "b"])
  }

  @Test func `a fetch applies its limit and offset`() async throws {
    let pages = try await container.newContext().perform { objects in
      try [(2, 0), (2, 1), (2, 2), (0, 0), (5, 3)].map { limit, offset in
        try objects.fetch(FetchDescriptor(Show.self, sort: [.descending(\.year)], limit: limit, offset: offset))
          .map(\.key).joined()
      } + [objects.fetch(FetchDescriptor(Show.self, offset: 1)).map(\.key).joined()]
    }
    #expect(pages == ["cb", "ba", "a", "", "", "bc"])
  }

  @Test func `a fetch includes pending changes`() async throws {
    try await container.newContext().perform { (objects) throws in
      let show = objects.insert(Show.self)
      show.key = "new"
      #expect(try objects.fetch(Show.self, where: { $0.key == "new" }) == [show])
      show.key = "newer"
      #expect(try objects.fetch(Show.self, where: { $0.key == "new" }).isEmpty)
      #expect(try objects.count(Show.self, where: { $0.key == "newer" }) == 1)
      objects.delete(show)
      #expect(try objects.exists(Show.self, where: { $0.key == "newer" }) == false)
    }
  }

  @Test func `fetches return one instance for each row`() async throws {
    try await container.newContext().perform { objects in
      let all = try objects.fetch(Show.self)
      #expect(try objects.fetch(Show.self, where: { $0.key == "a" }).first === all.first)
      #expect(try objects.first(Show.self, sort: [.descending(\.key)]) === all.last)
    }
  }

  @Test func `count and exists apply conditions, limits and offsets`() async throws {
    try await container.newContext().perform { (objects) throws in
      #expect(try objects.count(Show.self) == 3)
      #expect(try objects.count(Show.self, where: { $0.year >= 2000 }) == 2)
      #expect(try objects.count(Show.self, matching: #Predicate { $0.year >= 2000 }) == 2)
      #expect(try objects.count(FetchDescriptor(Show.self, limit: 2)) == 2)
      #expect(try objects.count(FetchDescriptor(Show.self, offset: 1)) == 2)
      #expect(try objects.exists(Show.self, where: { $0.year == 1990 }))
      #expect(try !objects.exists(Show.self, where: { $0.year == 1991 }))
      #expect(try objects.exists(FetchDescriptor(Show.self, matching: #Predicate { $0.year == 1990 })))
      #expect(try !objects.exists(FetchDescriptor(Show.self, limit: 0)))
    }
  }

  @Test func `fetching a class that is not in the schema throws an error`() async throws {
    await #expect(throws: PersistenceError.self) {
      try await container.newContext().perform { _ = try $0.fetch(Film.self, where: { $0.year == 1 }) }
    }
  }
}
