import PersistenceTesting
import Testing

@testable import Persistence

/// The number of queries that reading relationships takes, as the documentation promises.
@Suite struct RelationshipBudgetTests {
  private func filled(_ directors: Int, films: Int) async throws -> PersistentContainer {
    let container = try await PersistentContainer(at: .inMemory, schema: Schema(Director.self, Film.self))
    try await container.newContext().persist { objects in
      for number in 0..<directors {
        let director = objects.insert(Director.self)
        director.name = "director \(number)"
        for film in 0..<films {
          let it = objects.insert(Film.self)
          (it.title, it.year, it.director) = ("film \(number).\(film)", film, director)
        }
      }
    }
    return container
  }

  @Test(arguments: [(5, 4), (100, 3), (256, 1)])
  func `reading directors and their films takes two queries`(_ directors: Int, films: Int) async throws {
    try await filled(directors, films: films).newContext().perform { objects in
      var titles = 0
      try objects.expectQueries(atMost: 2) {
        for director in try objects.fetch(Director.self) { titles += director.films.map(\.title).count }
      }
      #expect(titles == directors * films)
    }
  }

  @Test(arguments: [(5, 4), (100, 1)])
  func `reading films and their directors takes two queries`(_ directors: Int, films: Int) async throws {
    try await filled(directors, films: films).newContext().perform { objects in
      var names: Set<String> = []
      try objects.expectQueries(atMost: 2) {
        for film in try objects.fetch(Film.self) { if let name = film.director?.name { names.insert(name) } }
      }
      #expect(names.count == directors)
    }
  }

  @Test func `a fetch with prefetching takes two queries, however many objects it finds`() async throws {
    try await filled(700, films: 2).newContext().perform { objects in
      try objects.expectQueries(atMost: 2) {
        for director in try objects.fetch(FetchDescriptor(Director.self).prefetching(\.films)) {
          #expect(director.films.map(\.year) == [0, 1])
        }
      }
    }
  }

  @Test(arguments: [[0, 1, 2], [2, 1, 0], [1, 2, 0]])
  func `relationships of each fetched batch take one query, in any order of access`(_ thirds: [Int]) async throws {
    try await filled(30, films: 2).newContext().perform { objects in
      var request = FetchDescriptor(Director.self, sort: [.descending(\.name)])
      request.batchSize = 10
      let directors = try objects.fetch(request)
      try objects.expectQueries(atMost: 3) {
        for third in thirds {
          for place in (0..<10).reversed() { #expect(directors[third * 10 + place].films.map(\.year) == [0, 1]) }
        }
      }
      #expect(objects.relationshipFetches == ["Director.films": 3])
    }
  }

  @Test func `relationships of related objects are fetched together`() async throws {
    try await filled(20, films: 5).newContext().perform { objects in
      let first = try #require(try objects.first(Director.self, where: { $0.name == "director 7" }))
      var seen = 0
      try objects.expectQueries(atMost: 2) {
        for director in try objects.fetch(Director.self) {
          for film in director.films where film.director === director { seen += 1 }
        }
      }
      #expect(seen == 100 && first.name == "director 7")
    }
    try await filled(20, films: 5).newContext().perform { objects in
      // Films, their directors, and all films of these
      try objects.expectQueries(atMost: 3) {
        for film in try objects.fetch(Film.self, where: { $0.year == 0 }) {
          #expect(film.director?.films.map(\.year) == [0, 1, 2, 3, 4])
        }
      }
    }
  }

  @Test func `relationships of objects in forEach take one query for each batch`() async throws {
    try await filled(40, films: 2).newContext().perform { objects in
      var request = FetchDescriptor(Director.self)
      request.batchSize = 10
      var films = 0
      try objects.forEach(request) { films += $0.films.map(\.year).count }
      #expect(films == 80 && objects.relationshipFetches == ["Director.films": 4])
    }
  }

  @Test func `an object that is fetched alone fetches only its own members`() async throws {
    try await filled(50, films: 2).newContext().perform { objects in
      let others = try objects.fetch(Director.self, where: { $0.name != "director 9" })
      let alone = try #require(try objects.first(Director.self, where: { $0.name == "director 9" }))
      #expect(alone.films.map(\.year) == [0, 1])
      let films = try objects.expectQueries(atMost: 1) { others.map { $0.films.map(\.year).count } }
      #expect(films == Array(repeating: 2, count: 49))
      #expect(objects.relationshipFetches == ["Director.films": 2])
    }
  }

  @Test @MainActor
  func `objects fetched one by one fetch only their own members`() async throws {
    let objects = try await filled(40, films: 2).viewContext.objects
    // The objects are held, each fetched by a separate query outside of closures.
    let directors = try (0..<40).map { number in
      try #require(try objects.first(Director.self, where: { $0.name == "director \(number)" }))
    }
    for (read, director) in [directors[7], directors[3], directors[20], directors[8]].enumerated() {
      let (queries, loaded) = (objects.queryCount, objects.loaded.entries.count)
      #expect(director.films.map(\.year) == [0, 1])
      #expect(objects.queryCount == queries + 1, "read \(read)")
      #expect(objects.loaded.entries.count == loaded + 1, "read \(read)")
    }
    let films = try objects.registry(of: Film.self).map.objects().count
    #expect(films == 8)
  }

  @Test @MainActor
  func `objects fetched one by one fetch only their own to-one object`() async throws {
    let objects = try await filled(40, films: 1).viewContext.objects
    let films = try (0..<40).map { number in
      try #require(try objects.first(Film.self, where: { $0.title == "film \(number).0" }))
    }
    for (read, number) in [7, 3, 20, 8].enumerated() {
      let queries = objects.queryCount
      #expect(films[number].director?.name == "director \(number)")
      #expect(objects.queryCount == queries + 1, "read \(read)")
      let directors = try objects.registry(of: Director.self).map.objects().count
      #expect(directors == read + 1)
    }
  }

  @Test @MainActor func `inserted objects that are not saved fetch their members together`() async throws {
    let objects = try await filled(3, films: 1).viewContext.objects
    let others = try (0..<3).map { number in
      try #require(try objects.first(Director.self, where: { $0.name == "director \(number)" }))
    }
    let directors = (0..<300).map { _ in objects.insert(Director.self) }
    objects.insert(Film.self).director = directors[290]
    let queries = objects.queryCount
    #expect(directors.reversed().map { $0.films.map(\.year).count } == (0..<300).map { $0 == 9 ? 1 : 0 })
    // As for a fetch of 300 objects: 256 and the rest.
    #expect(objects.queryCount == queries + 2 && objects.loaded.entries.count == 300)
    #expect(others[0].films.count == 1)
  }

  @Test func `objects of a fetch too large to remember fetch members with their neighbours`() async throws {
    try await filled(600, films: 1).newContext().perform { objects in
      let directors = try objects.fetch(Director.self)
      objects.together.removeAll()
      let entity = try objects.registry(of: Director.self).entity
      let capacity = FetchedTogether.capacityOfOne
      let many = Array(Array(repeating: directors[..<40], count: capacity / 40 + 1).joined().prefix(capacity))
      objects.together.add(many + directors[40...], of: entity, batchSize: 100)
      #expect(objects.together.count == capacity)
      #expect(directors[40...].map { $0.films.map(\.year).count } == Array(repeating: 1, count: 560))
      #expect(objects.relationshipFetches == ["Director.films": 6])
    }
  }

  @Test func `a fetch of many batches is remembered while its relationships are read`() async throws {
    try await filled(900, films: 40).newContext().perform { objects in
      var request = FetchDescriptor(Director.self)
      request.batchSize = 3
      var films = 0
      for director in try objects.fetch(request) { for film in director.films { films += film.year >= 0 ? 1 : 0 } }
      #expect(films == 36_000 && objects.relationshipFetches == ["Director.films": 300])
      #expect(objects.together.count <= FetchedTogether.capacity)
    }
  }

  @Test @MainActor func `a list kept in the view context fetches its relationships together later`() async throws {
    let objects = try await filled(30, films: 2).viewContext.objects
    let directors = try objects.fetch(Director.self)
    let before = objects.queryCount
    for director in directors { #expect(director.films.map(\.year) == [0, 1]) }
    #expect(objects.queryCount == before + 1)
    let later = try objects.fetch(Film.self)
    let between = objects.queryCount
    #expect(later.compactMap(\.director).count == 60 && objects.queryCount == between)
  }

  @Test func `members fetched together include pending changes of all owners`() async throws {
    let container = try await filled(10, films: 3)
    try await container.newContext().persist { objects in
      let directors = try objects.fetch(Director.self, sort: [.ascending(\.name)])
      let film = try #require(try objects.first(Film.self, where: { $0.title == "film 3.0" }))
      film.director = directors[4]
      objects.delete(directors[8])
      objects.insert(Film.self).director = directors[5]
      #expect(directors[0].films.count == 3)
      #expect(directors[3].films.count == 2 && directors[4].films.count == 4 && directors[5].films.count == 4)
    }
    try await container.newContext().perform { objects in
      let counts = try objects.fetch(Director.self, sort: [.ascending(\.name)]).map(\.films.count)
      #expect(counts == [3, 3, 3, 2, 4, 4, 3, 3, 3])
    }
  }

  @Test func `the record of fetches is bounded and ends with the closure`() async throws {
    let container = try await filled(300, films: 1)
    let context = container.newContext()
    try await context.perform { objects in
      let directors = try objects.fetch(Director.self)
      for count in 2...300 { _ = try objects.fetch(Director.self, limit: count) }
      // The last 256 fetches.
      #expect(objects.together.count == (45...300).reduce(0, +))
      let many = Array(repeating: directors, count: 400).joined()
      objects.together.add(Array(many), of: try objects.registry(of: Director.self).entity)
      #expect(objects.together.count > FetchedTogether.capacityOfOne)
      #expect(objects.together.count <= FetchedTogether.capacity)
      #expect(MemoryLayout<Int64>.size * FetchedTogether.capacity <= 512 << 10)
      objects.together.add(Array(many.dropFirst()), of: try objects.registry(of: Director.self).entity)
      #expect(objects.together.count == FetchedTogether.capacity)
    }
    try await context.perform { objects in #expect(objects.together.count == 0) }
  }
}
