import Foundation
import Persistence
import Testing

/// Saves in which many objects have changed.
@MainActor @Suite struct ManyUpdatesTests {
  let store: TemporaryStore

  init() throws { store = try TemporaryStore() }

  /// Films in memory, and a context of another container, whose commits they do not follow.
  private func films(_ count: Int) async throws -> (view: ViewContext, films: [Film], other: ObjectContext) {
    let view = try await store.open(Film.self, Director.self).viewContext
    let films = try view.persist { objects in
      (0..<count).map { number in
        let film = objects.insert(Film.self)
        (film.title, film.year) = ("base", number)
        return film
      }
    }
    return (view, films, try await store.open(Film.self, Director.self).newContext())
  }

  private func stored() async throws -> [String] {
    try await store.open(Film.self, Director.self).newContext().perform { objects in
      try objects.fetch(Film.self).map { "\($0.title) \($0.year)" }
    }
  }

  private func conflict(_ body: () throws -> Void) -> MergeConflict? {
    do {
      try body()
      return nil
    } catch {
      guard case .conflict(let conflict) = error as? PersistenceError else { return nil }
      return conflict
    }
  }

  @Test(arguments: [0, 1, 17, 39])
  func `a save of many updates with a row whose attribute changed elsewhere fails and stores nothing`(
    _ place: Int
  ) async throws {
    let (view, films, other) = try await self.films(40)
    let id = films[place].id
    try await other.persist { try $0.object(id).title = "theirs" }
    // When all films are changed, including the stale one
    let found = conflict { try view.persist { _ in for film in films { film.title = "mine" } } }
    // Then the error names it, with the attribute in conflict
    #expect(found?.kind == .changed && found?.type == "Film" && found?.id == id.rawValue)
    #expect(found?.attributes.map(\.attribute) == ["title"])
    // And the objects are unchanged, and the store has the other's commit only
    #expect(films.enumerated().allSatisfy { $0 == place || $1.title == "base" } && !view.hasChanges)
    let expected = (0..<40).map { ($0 == place ? "theirs" : "base") + " \($0)" }
    #expect(try await stored() == expected)
    // And all of them can be changed again
    _ = try view.fetch(Film.self)
    try view.persist { _ in for film in films { film.title += "+" } }
    #expect(try await stored() == expected.map { $0.replacing(" ", with: "+ ") })
  }

  @Test func `a save of many updates with a row that was deleted elsewhere fails and stores nothing`() async throws {
    let (view, films, other) = try await self.films(40)
    let id = films[17].id
    try await other.persist { objects in objects.delete(try objects.object(id)) }
    let found = conflict { try view.persist { _ in for film in films { film.title = "mine" } } }
    #expect(found?.kind == .deleted && found?.id == id.rawValue)
    #expect(films.allSatisfy { $0.title == "base" })
    #expect(try await stored() == (0..<40).filter { $0 != 17 }.map { "base \($0)" })
  }

  @Test func `a save of many updates merges rows whose other attributes changed elsewhere`() async throws {
    let (view, films, other) = try await self.films(40)
    let ids = [3, 4, 17].map { films[$0].id }
    try await other.persist { objects in for id in ids { try objects.object(id).year += 1000 } }
    try view.persist { _ in for film in films { film.title = "mine" } }
    let years = (0..<40).map { [3, 4, 17].contains($0) ? $0 + 1000 : $0 }
    #expect(films.map(\.year) == years)
    #expect(try await stored() == years.map { "mine \($0)" })
    // The versions match the store, so later changes of either side cause no conflict
    try view.persist { _ in for film in films { film.title = "again" } }
    try await other.persist { objects in for film in try objects.fetch(Film.self) { film.year = 0 } }
    #expect(try await stored() == Array(repeating: "again 0", count: 40))
  }

  @Test func `a save of many updates can pass a unique value from a later row to one that merges`() async throws {
    let view = try await store.open(Movie.self, FamilyMember.self).viewContext
    let movies = try view.persist { objects in
      (1...9).map { number in
        let movie = objects.insert(Movie.self)
        movie.remoteID = Int64(number)
        return movie
      }
    }
    let id = movies[2].id
    let other = try await store.open(Movie.self, FamilyMember.self).newContext()
    try await other.persist { objects in try objects.object(id).title = "theirs" }
    try view.persist { _ in
      for index in 0..<5 { movies[index].remoteID = index == 2 ? 9 : Int64(100 + index) }
      movies[8].remoteID = 200
    }
    let stored = try await store.open(Movie.self, FamilyMember.self).newContext().perform { objects in
      try objects.fetch(Movie.self).map(\.remoteID)
    }
    #expect(stored == [100, 101, 9, 103, 104, 6, 7, 8, 200])
    #expect(movies[2].title == "theirs")
  }

  @Test func `a save of many updates in which one row merges and another conflicts stores nothing`() async throws {
    let (view, films, other) = try await self.films(40)
    let (first, second) = (films[5].id, films[30].id)
    try await other.persist { objects in
      try objects.object(first).year = 1000
      try objects.object(second).title = "theirs"
    }
    #expect(conflict { try view.persist { _ in for film in films { film.title = "mine" } } }?.id == second.rawValue)
    let expected = (0..<40).map { $0 == 5 ? "base 1000" : $0 == 30 ? "theirs 30" : "base \($0)" }
    #expect(try await stored() == expected)
    _ = try view.fetch(Film.self)
    #expect(films.map { "\($0.title) \($0.year)" } == expected)
    try view.persist { _ in for film in films { film.year += 1 } }
    #expect(try await stored().count { $0.hasSuffix(" 1001") } == 1)
  }

  @Test func `updates that were written before their closure failed are rolled back`() async throws {
    let (view, films, _) = try await self.films(40)
    #expect(throws: PersistenceError.self) {
      try view.persist { objects in
        for film in films { film.title = "lost" }
        // The count includes them, because they are already written
        #expect(try objects.count(Film.self, where: { $0.title == "lost" }) == 40)
        for film in films { film.title = "lost too" }
        throw Stop()
      }
    }
    #expect(films.allSatisfy { $0.title == "base" })
    try view.persist { _ in for film in films { film.title = "kept" } }
    #expect(try await stored() == (0..<40).map { "kept \($0)" })
  }

  @Test func `thousands of updates with gaps and different attributes are written completely`() async throws {
    let (view, films, _) = try await self.films(3000)
    try view.persist { objects in
      for (number, film) in films.enumerated() where number % 100 == 50 { objects.delete(film) }
      for (number, film) in films.enumerated() where number % 100 != 50 {
        if number < 1500 || number % 7 == 0 { film.title = "title \(number)" }
        if number >= 1200 { film.year = -number }
      }
    }
    let expected = (0..<3000).filter { $0 % 100 != 50 }.map { number in
      let title = number < 1500 || number % 7 == 0 ? "title \(number)" : "base"
      return "\(title) \(number >= 1200 ? -number : number)"
    }
    #expect(try await stored() == expected)
  }

  @Test func `every attribute type reads back from a save of many updates as it was assigned`() async throws {
    let view = try await store.open(Everything.self).viewContext
    let all = try view.persist { objects in (0..<8).map { _ in objects.insert(Everything.self) } }
    let texts = ["", "\u{0}", "Fargo é e\u{301} 🎬", String(repeating: "long ", count: 40_000)]
    try view.persist { _ in
      for (number, it) in all.enumerated() {
        it.bool = number % 2 == 0
        it.int = number % 2 == 0 ? .min : .max
        it.uint8 = UInt8(number)
        it.double = [-.infinity, 0.1, 0.5, .greatestFiniteMagnitude][number % 4]
        it.string = texts[number % 4]
        it.data = number % 2 == 0 ? Data() : Data([0, 255, UInt8(number)])
        it.date = Date(timeIntervalSinceReferenceDate: Double(number) / 3)
        it.kind = .series
        it.address = Address(street: "Elm", numbers: [number])
        it.maybeInt = number % 2 == 0 ? nil : number
        it.maybeDouble = number % 2 == 0 ? 0.5 : nil
        it.maybeString = number % 2 == 0 ? texts[number % 4] : nil
        it.maybeData = number % 2 == 0 ? Data() : nil
      }
    }
    let set = all.map(\.contents)
    let seen = try await store.open(Everything.self).newContext().perform { objects in
      try objects.fetch(Everything.self).map(\.contents)
    }
    #expect(seen == set && Set(set).count == 8)
  }

  @Test func `a value that cannot be stored fails a save of many updates and is named`() async throws {
    let view = try await store.open(Movie.self, FamilyMember.self).viewContext
    let movies = try view.persist { objects in (0..<40).map { _ in objects.insert(Movie.self) } }
    #expect {
      try view.persist { _ in
        for (number, movie) in movies.enumerated() { movie.popularity = number == 20 ? .nan : 1 }
      }
    } throws: { error in
      guard case .invalidValue(let value) = error as? PersistenceError else { return false }
      return value.type == "Movie" && value.attribute == "popularity" && value.id == movies[20].id.rawValue
    }
    #expect(movies.allSatisfy { $0.popularity == nil })
    try view.persist { _ in for movie in movies { movie.popularity = 2 } }
    #expect(try view.count(FetchDescriptor(Movie.self, where: { $0.popularity == 2 })) == 40)
  }

  @Test func `a save of many updates names a taken unique value, and can pass values between rows`() async throws {
    let view = try await store.open(Movie.self, FamilyMember.self).viewContext
    let movies = try view.persist { objects in
      (0..<40).map { number in
        let movie = objects.insert(Movie.self)
        movie.remoteID = Int64(number)
        return movie
      }
    }
    #expect {
      try view.persist { _ in
        for (number, movie) in movies.enumerated() { movie.remoteID = number == 20 ? 119 : 100 + Int64(number) }
      }
    } throws: { error in
      guard case .notUnique(let violation) = error as? PersistenceError else { return false }
      return violation.attributes == ["remoteID"] && violation.id == movies[20].id.rawValue
    }
    #expect(movies.map(\.remoteID) == (0..<40).map { Int64($0) })
    // Each takes the value of its neighbour
    let neighbours: [Int64?] = (1..<40).map { Int64($0) } + [0]
    try view.persist { _ in for (movie, neighbour) in zip(movies, neighbours) { movie.remoteID = neighbour } }
    let stored = try await store.open(Movie.self, FamilyMember.self).newContext().perform { objects in
      try objects.fetch(Movie.self).map(\.remoteID)
    }
    #expect(stored == neighbours)
  }
}

extension Everything {
  fileprivate var contents: [String] {
    [
      "\(bool) \(int) \(uint8) \(double) \(date.timeIntervalSinceReferenceDate) \(kind) \(address)", string,
      data.base64EncodedString(), maybeData?.base64EncodedString() ?? "nil",
      "\(String(describing: maybeInt)) \(String(describing: maybeDouble)) \(String(describing: maybeString))",
    ]
  }
}
