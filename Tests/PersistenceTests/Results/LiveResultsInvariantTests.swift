import Foundation
import LarderTestSupport
import Persistence
import Testing

/// The invariant of live results: applying a difference to the old snapshot gives the new one, which equals a fetch.
@Suite struct LiveResultsInvariantTests {
  let store: TemporaryStore

  init() throws { store = try TemporaryStore() }

  static let rounds = ProcessInfo.processInfo.environment["LARDER_LONG_TESTS"] == nil ? 60 : 1000

  private static func seed() -> UInt64 {
    ProcessInfo.processInfo.environment["LARDER_SEED"].flatMap { UInt64($0) } ?? .random(in: 0..<1_000_000)
  }

  /// Random names from a few, so that ties, moves and empty sections are common.
  private static func name(_ random: inout SplitMix) -> String {
    ["", "a", "A", "ab", "b", "é", "e\u{301}", "ß", "z"].randomElement(using: &random) ?? ""
  }

  /// Changes some objects of all classes.
  private static func change(_ objects: ObjectSpace, _ random: inout SplitMix, count: Int) throws {
    for _ in 0..<count {
      let films = try objects.fetchIDs(FetchDescriptor(Film.self))
      let directors = try objects.fetchIDs(FetchDescriptor(Director.self))
      let movies = try objects.fetchIDs(FetchDescriptor(Movie.self))
      let members = try objects.fetchIDs(FetchDescriptor(FamilyMember.self))
      switch Int.random(in: 0..<14, using: &random) {
      case 0, 1:
        let film = objects.insert(Film.self)
        film.title = name(&random)
        film.year = Int.random(in: 0..<6, using: &random)
      case 2: objects.insert(Director.self).name = name(&random)
      case 3: if let id = films.randomElement(using: &random) { objects.delete(try objects.object(id)) }
      case 4:
        if let id = directors.randomElement(using: &random), directors.count > 3 {
          objects.delete(try objects.object(id))
        }
      case 5, 6:
        if let id = films.randomElement(using: &random) {
          try objects.object(id).year = Int.random(in: 0..<6, using: &random)
        }
      case 7: if let id = films.randomElement(using: &random) { try objects.object(id).title = name(&random) }
      case 8:
        if let id = films.randomElement(using: &random) {
          try objects.object(id).director = try directors.randomElement(using: &random).map { try objects.object($0) }
        }
      case 9: if let id = directors.randomElement(using: &random) { try objects.object(id).name = name(&random) }
      case 10:
        let movie = objects.insert(Movie.self)
        movie.popularity = [nil, -1, 0, 0.5, 1e300].randomElement(using: &random) ?? nil
        movie.title = name(&random)
      case 11:
        if let id = movies.randomElement(using: &random) {
          let movie = try objects.object(id)
          movie.popularity = [nil, -1, 0, 0.5, 2].randomElement(using: &random) ?? nil
          if let member = try members.randomElement(using: &random).map({ try objects.object($0) }) {
            if movie.familyMembers.contains(member) {
              movie.familyMembers.remove(member)
            } else {
              movie.familyMembers.insert(member)
            }
          }
        }
      case 12: objects.insert(FamilyMember.self).name = name(&random)
      default:
        if let id = members.randomElement(using: &random), members.count > 3 { objects.delete(try objects.object(id)) }
      }
    }
  }

  private func followers(_ container: PersistentContainer) async throws -> [any AnyFollower] {
    let films = FetchDescriptor(Film.self, sort: [.descending(\.year), .ascending(\.title)])
    let some = FetchDescriptor(
      Film.self, where: { $0.year > 1 && $0.title.contains("a") }, sort: [.ascending(\.title)])
    let related = FetchDescriptor(Film.self, where: { $0.director.name == "a" }, sort: [.ascending(\.title)])
    let matched = FetchDescriptor(
      Film.self, where: { $0.director.contains { $0.name == "a" } }, sort: [.ascending(\.title)])
    let few = FetchDescriptor(Film.self, sort: [.ascending(\.title)], limit: 5, offset: 2)
    let nobody = FetchDescriptor(Film.self, where: { $0.director == nil }, sort: [.ascending(\.year)])
    let busy = FetchDescriptor(Director.self, where: { $0.films.contains { $0.year > 2 } }, sort: [.descending(\.name)])
    let liked = FetchDescriptor(
      Movie.self, where: { $0.familyMembers.contains { $0.name < "b" } },
      sort: [.descending(\.popularity), .ascending(\.title)])
    let rated = FetchDescriptor(Movie.self, where: { !($0.popularity == nil) }, sort: [.ascending(\.popularity)])
    let named = FetchDescriptor(Film.self, sort: [.ascending(nulls: .last) { $0.director.name }, .descending(\.year)])
    let ofBusy = FetchDescriptor(Film.self, sort: [.descending { $0.director.films.count }], limit: 6)
    let early = FetchDescriptor(
      Film.self, where: { $0.year < 5 }, sort: [.ascending { $0.title.contains("a") }, .ascending { $0.year > 2 }])
    let productive = FetchDescriptor(Director.self, sort: [.descending { $0.films.maximum { $0.year } }])
    let unrated = FetchDescriptor(
      Movie.self, sort: [.ascending(\.popularity, nulls: .last), .descending { $0.familyMembers.count }])
    let firstUnrated = FetchDescriptor(Movie.self, sort: [.descending(\.popularity, nulls: .first)])
    return [
      Follower(try await ResultsFollower(container, named)),
      Follower(try await ResultsFollower(container, named, sectionedBy: \.year)),
      Follower(try await ResultsFollower(container, ofBusy)),
      Follower(try await ResultsFollower(container, early)),
      Follower(try await ResultsFollower(container, productive)),
      Follower(try await ResultsFollower(container, unrated)),
      Follower(try await ResultsFollower(container, firstUnrated)),
      Follower(try await ResultsFollower(container, firstUnrated, sectionedBy: \.popularity)),
      Follower(try await ResultsFollower(container, films)),
      Follower(try await ResultsFollower(container, films, sectionedBy: \.year)),
      Follower(try await ResultsFollower(container, some)),
      Follower(try await ResultsFollower(container, some, sectionedBy: \.year)),
      Follower(try await ResultsFollower(container, related)),
      Follower(try await ResultsFollower(container, matched)),
      Follower(try await ResultsFollower(container, few)),
      Follower(try await ResultsFollower(container, nobody, sectionedBy: \.title)),
      Follower(try await ResultsFollower(container, FetchDescriptor(Film.self))),
      Follower(try await ResultsFollower(container, FetchDescriptor(Director.self), sectionedBy: \.name)),
      Follower(try await ResultsFollower(container, busy)),
      Follower(try await ResultsFollower(container, liked)),
      Follower(try await ResultsFollower(container, rated, sectionedBy: \.title)),
      Follower(try await ResultsFollower(container, FetchDescriptor(Movie.self), sectionedBy: \.popularity)),
    ]
  }

  @Test(arguments: [1, 2]) func `live results equal a fetch after each of many random commits`(_ salt: UInt64)
    async throws
  {
    let seed = Self.seed() * 2 + salt
    print("live results: seed \(seed)")
    var random = SplitMix(seed: seed)
    let container = try await store.open(Film.self, Director.self, Movie.self, FamilyMember.self)
    let contexts = [container.newContext(), container.newContext(), container.newContext()]
    let first = random
    try await contexts[0].persist { objects in
      var random = first
      try Self.change(objects, &random, count: 60)
    }
    let followers = try await followers(container)
    // Created after the results, it receives each commit after them.
    var commits = container.commits.makeAsyncIterator()
    for round in 0..<Self.rounds {
      let context = contexts[Int.random(in: 0..<2, using: &random)]
      let count = Int.random(in: 1...(round % 7 == 6 ? 30 : 4), using: &random)
      let start = SplitMix(seed: UInt64.random(in: 0 ... .max, using: &random))
      let isEmpty = try await context.persist { objects in
        var random = start
        try Self.change(objects, &random, count: count)
        return !objects.hasChanges
      }
      if isEmpty { continue }
      _ = await commits.next()
      for (index, follower) in followers.enumerated() {
        try await follower.check(contexts[2], "seed \(seed), round \(round), result \(index)")
      }
    }
  }

  @Test func `live results equal a fetch after commits of another container`() async throws {
    let seed = Self.seed()
    print("results of another container: seed \(seed)")
    var random = SplitMix(seed: seed)
    let clock = ManualClock()
    let container = try await store.open(Film.self, Director.self, Movie.self, FamilyMember.self) { configuration in
      configuration.pollInterval = .seconds(1)
      configuration.pollClock = clock
    }
    // The other container numbers its classes differently.
    let other = try await store.open(FamilyMember.self, Movie.self, Director.self, Film.self)
    let contexts = [container.newContext(), other.newContext()]
    let reader = container.newContext()
    let first = random
    try await contexts[0].persist { objects in
      var random = first
      try Self.change(objects, &random, count: 60)
    }
    let followers = try await followers(container)
    var commits = container.commits.makeAsyncIterator()
    for round in 0..<Self.rounds {
      // Sometimes nothing polls, and the container's own commit delivers those before it.
      var expected = 0
      for writer in [[0], [1], [1, 1], [1, 0]][Int.random(in: 0..<4, using: &random)] {
        let count = Int.random(in: 1...4, using: &random)
        let start = SplitMix(seed: UInt64.random(in: 0 ... .max, using: &random))
        expected += try await contexts[writer].persist { objects in
          var random = start
          try Self.change(objects, &random, count: count)
          return objects.hasChanges ? 1 : 0
        }
      }
      await clock.advance(by: .seconds(1))
      for _ in 0..<expected { _ = await commits.next() }
      for (index, follower) in followers.enumerated() {
        try await follower.check(reader, "seed \(seed), round \(round), result \(index)")
      }
    }
  }

  @Test func `live results equal a fetch after concurrent commits of several writers`() async throws {
    let seed = Self.seed()
    print("results of several writers: seed \(seed)")
    let container = try await store.open(Film.self, Director.self, Movie.self, FamilyMember.self)
    let followers = try await followers(container)
    var commits = container.commits.makeAsyncIterator()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for writer in 0..<3 {
        let context = container.newContext()
        group.addTask {
          var random = SplitMix(seed: seed + UInt64(writer))
          for _ in 0..<Self.rounds {
            let start = SplitMix(seed: UInt64.random(in: 0 ... .max, using: &random))
            try await context.persist { objects in
              var random = start
              try Self.change(objects, &random, count: 3)
            }
          }
        }
      }
      try await group.waitForAll()
    }
    // Several commits may arrive as one without ids. The results have all of them once a last one arrives with its id.
    let context = container.newContext()
    func insertLast() async throws -> ObjectID<Film> { try await context.persist { $0.insert(Film.self).id } }
    var last = try await insertLast()
    while let changes = await commits.next(), !changes.changes(of: Film.self).contains(where: { $0.id == last }) {
      if !changes.isComplete(for: Film.self) { last = try await insertLast() }
    }
    let reader = container.newContext()
    for (index, follower) in followers.enumerated() {
      try await follower.check(reader, "seed \(seed), result \(index)")
    }
  }

  @Test func `live results equal a fetch after large commits, for which they reload`() async throws {
    let container = try await store.open(Film.self, Director.self)
    let context = container.newContext()
    let ids = try await context.persist { objects in
      (0..<1000).map { number in
        let film = objects.insert(Film.self)
        film.year = number % 10
        film.title = "\(number)"
        return film.id
      }
    }
    let request = FetchDescriptor(Film.self, where: { $0.year < 8 }, sort: [.ascending(\.title)])
    let follower = Follower(try await ResultsFollower(container, request, sectionedBy: \.year))
    var commits = container.commits.makeAsyncIterator()
    let reader = container.newContext()
    try await follower.check(reader, "at first")
    for step in [1, 2, 3, 7] {
      try await context.persist { objects in
        for index in stride(from: 0, to: ids.count, by: step) { try objects.object(ids[index]).year += 1 }
      }
      _ = await commits.next()
      try await follower.check(reader, "step \(step)")
    }
    try await context.persist { objects in
      for id in ids { objects.delete(try objects.object(id)) }
    }
    _ = await commits.next()
    try await follower.check(reader, "all gone")
  }
}
