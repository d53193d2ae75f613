import Foundation
import Testing

@testable import Persistence

@Suite struct FetchDescriptorTests {
  let container: PersistentContainer

  init() async throws {
    container = try await PersistentContainer.shows()
    try await container.newContext().persist { $0.insertThreeShows() }
  }

  @Test func `fetchIDs returns the ids of matching objects in order`() async throws {
    try await container.newContext().perform { (objects) throws in
      let ids = try objects.fetchIDs(FetchDescriptor(Show.self, where: { $0.year > 1990 }, sort: [.descending(\.year)]))
      #expect(try ids.map { try objects.object($0).key } == ["c", "b"])
    }
  }

  @Test func `values and distinctValues return the values of an attribute`() async throws {
    try await container.newContext().perform { (objects) throws in
      let extra = objects.insert(Show.self)
      (extra.key, extra.genre, extra.rating) = ("d", .war, 9)
      #expect(
        try objects.values(of: \.key, in: FetchDescriptor(Show.self, sort: [.descending(\.key)])) == [
          "d", "c", "b", "a",
        ])
      #expect(try objects.values(of: \.rating, in: FetchDescriptor(Show.self, limit: 2)) == [7.5, nil])
      #expect(try objects.distinctValues(of: \Show.genre) == [.comedy, .drama, .war])
      #expect(try objects.distinctValues(of: \Show.rating) == [nil, 7.5, 9])
      #expect(
        try objects.distinctValues(of: \Show.genre, in: FetchDescriptor(Show.self, where: { $0.year > 1990 })) == [
          .comedy, .war,
        ])
      #expect(try objects.distinctValues(of: \Show.genre, in: FetchDescriptor(Show.self, limit: 1)) == [.drama])
    }
  }

  @Test func `distinct values of the wrong type throw an error that names the attribute`() async throws {
    let store = try TemporaryStore()
    let container = try await store.open(Show.self, Studio.self, Actor.self)
    try await container.newContext().persist { $0.insertThreeShows() }
    try await container.newContext().perform { (objects) throws in
      try objects.connection.execute("UPDATE Show SET genre = 'jazz' WHERE key = 'b'")
      #expect {
        try objects.distinctValues(of: \Show.genre)
      } throws: { error in
        guard case .invalidValue(let value) = error as? PersistenceError else { return false }
        return value.type == "Show" && value.attribute == "genre"
      }
    }
  }

  @Test func `aggregates compute counts, sums, extremes and averages`() async throws {
    try await container.newContext().perform { (objects) throws in
      let all = FetchDescriptor(Show.self)
      #expect(try objects.aggregate(over: all) { $0.count } == 3)
      #expect(try objects.aggregate(over: all) { $0.sum { $0.year } } == 6000)
      #expect(try objects.aggregate(over: all) { $0.sum { $0.episodes } } == 7)
      #expect(try objects.aggregate(over: all) { $0.sum { $0.rating } } == 16.5)
      #expect(try objects.aggregate(over: all) { $0.minimum { $0.year } } == 1990)
      #expect(try objects.aggregate(over: all) { $0.maximum { $0.rating } } == 9)
      #expect(try objects.aggregate(over: all) { $0.maximum { $0.name } } == "Café Gamma")
      #expect(try objects.aggregate(over: all) { $0.average { $0.episodes } } == 3.5)
      #expect(
        try objects.aggregate(over: FetchDescriptor(Show.self, where: { $0.year > 1990 })) { $0.average { $0.year } }
          == 2005)
      #expect(
        try objects.aggregate(over: FetchDescriptor(Show.self, sort: [.descending(\.year)], limit: 2)) {
          $0.sum { $0.year }
        }
          == 4010)
    }
  }

  @Test func `aggregates over no objects are zero, nil or empty`() async throws {
    try await container.newContext().perform { (objects) throws in
      let none = FetchDescriptor(matching: Query<Show>.none)
      #expect(try objects.aggregate(over: none) { $0.count } == 0)
      #expect(try objects.aggregate(over: none) { $0.sum { $0.year } } == 0)
      #expect(try objects.aggregate(over: none) { $0.sum { $0.weight } } == 0)
      #expect(try objects.aggregate(over: none) { $0.minimum { $0.year } } == nil)
      #expect(try objects.aggregate(over: none) { $0.average { $0.rating } } == nil)
      #expect(try objects.groups(in: none, by: { $0.genre }, of: { $0.count }).isEmpty)
    }
  }

  @Test func `aggregates can be grouped by the values of an attribute`() async throws {
    try await container.newContext().perform { (objects) throws in
      let counts = try objects.groups(in: FetchDescriptor(Show.self), by: { $0.seen }, of: { $0.count })
      #expect(counts.map(\.key) == [false, true] && counts.map(\.value) == [1, 2])
      let best = try objects.groups(
        in: FetchDescriptor(Show.self, where: { $0.year > 0 }), by: { $0.liked }, of: { $0.maximum { $0.rating } })
      #expect(best.map(\.key) == [nil, false, true] && best.map(\.value) == [nil, 9, 7.5])
    }
  }

  @Test func `a sum that exceeds 64 bits throws an error`() async throws {
    try await container.newContext().perform { (objects) throws in
      for key in ["x", "y"] {
        let show = objects.insert(Show.self)
        (show.key, show.year) = (key, .max)
      }
      #expect {
        try objects.aggregate(over: FetchDescriptor(Show.self)) { $0.sum { $0.year } }
      } throws: { error in
        guard case .sumOverflow = error as? PersistenceError else { return false }
        return "\(error)".contains("64 bits")
      }
      #expect(try objects.aggregate(over: FetchDescriptor(Show.self)) { $0.maximum { $0.year } } == .max)
    }
  }

  @Test func `prefetched relationships are in memory after the fetch`() async throws {
    try await container.newContext().perform { (objects) throws in
      let request = FetchDescriptor(Show.self).prefetching(\.cast).prefetching(\.studio)
      let shows = try objects.fetch(request)
      let (registry, studios) = (try objects.registry(of: Show.self), try objects.registry(of: Studio.self))
      let cast = try #require(registry.entity.toMany.first)
      #expect(shows.allSatisfy { registry.members(cast, of: $0).pointee != nil })
      #expect(studios.map.objects().count == 1)
      #expect(shows.map { $0.cast.map(\.name).joined() } == ["AnnBob", "Bob", ""])
      #expect(shows.map { $0.studio?.name } == ["Mosfilm", "Mosfilm", nil])
    }
  }

  @Test func `a query for first of an ordered relationship means the first in its order`() async throws {
    let container = try await PersistentContainer(at: .inMemory, schema: Schema(Playlist.self, Song.self))
    try await container.newContext().persist { (objects) throws in
      let list = objects.insert(Playlist.self)
      let (one, two) = (objects.insert(Song.self), objects.insert(Song.self))
      (one.title, two.title) = ("one", "two")
      list.songs = [two, one]
    }
    try await container.newContext().perform { (objects) throws in
      let query = Query<Playlist>(#Predicate { $0.songs.first?.title == "two" })
      #expect(try objects.fetch(Playlist.self, matching: query).map { try query.matches($0) } == [true])
    }
  }

  // Streaming

  @Test func `forEach visits every object once and in order with any batch size`() async throws {
    try await container.newContext().perform { (objects) throws in
      for year in 0..<1000 {
        let show = objects.insert(Show.self)
        (show.key, show.year) = ("s\(year)", 5000 + (year &* 7919) % 1000)
      }
      for size in [.min, 0, 1, 7, 1000, 5000, .max] {
        var request = FetchDescriptor(Show.self, where: { $0.year >= 5000 }, sort: [.ascending(\.year)])
        request.batchSize = size
        var years: [Int] = []
        try objects.forEach(request) { years.append($0.year) }
        #expect(years == Array(5000..<6000))
      }
    }
  }

  @Test func `forEach keeps no more than two batches of objects in memory`() async throws {
    let context = container.newContext()
    try await context.persist { (objects) throws in
      for year in 0..<3000 { objects.insert(Show.self).key = "s\(year)" }
    }
    try await context.perform { (objects) throws in
      let registry = try objects.registry(of: Show.self)
      var request = FetchDescriptor(Show.self).prefetching(\.studio)
      request.batchSize = 100
      var most = 0
      var count = 0
      try objects.forEach(request) { _ in
        count += 1
        if count.isMultiple(of: 50) { most = max(most, registry.map.objects().count) }
      }
      #expect(count == 3003)
      #expect(most <= 200)
    }
  }

  @Test func `an error thrown in forEach ends the loop, and the context can continue`() async throws {
    try await container.newContext().perform { (objects) throws in
      var count = 0
      #expect(throws: Stop.self) {
        try objects.forEach(FetchDescriptor(Show.self)) { _ in
          count += 1
          if count == 2 { throw Stop() }
        }
      }
      #expect(count == 2)
      #expect(try objects.count(Show.self) == 3)
    }
  }

  @Test func `nested forEach loops can change the objects that they visit`() async throws {
    let context = container.newContext()
    try await context.persist { (objects) throws in
      var request = FetchDescriptor(Show.self, sort: [.ascending(\.key)])
      request.batchSize = 1
      try objects.forEach(request) { outer in
        try objects.forEach(request) { inner in if inner !== outer { inner.year += 1 } }
      }
    }
    let years = try await context.perform { try $0.values(of: \.year, in: FetchDescriptor(Show.self)) }
    #expect(years == [1992, 2002, 2012])
  }
}
