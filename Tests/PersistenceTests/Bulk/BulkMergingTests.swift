import Foundation
import LarderTestSupport
import Persistence
import Testing

/// Bulk work reports ids without values: results and objects in memory read the changed rows.
@Suite struct BulkMergingTests {
  let store: TemporaryStore

  init() throws { store = try TemporaryStore() }

  private static let rounds = ProcessInfo.processInfo.environment["LARDER_LONG_TESTS"] == nil ? 40 : 500

  private static var fields: [ImportField<Movie, Int>] {
    [
      .set(\.remoteID) { Int64($0 % 1_000) }, .set(\.title) { "title \($0 % 7)" },
      .set(\.popularity) { Double($0 % 11) },
    ]
  }

  @Test func `live results and held objects agree with the store after random bulk work`() async throws {
    let seed = ProcessInfo.processInfo.environment["LARDER_SEED"].flatMap { UInt64($0) } ?? .random(in: 0..<1_000_000)
    print("bulk work and results: seed \(seed)")
    var random = SplitMix(seed: seed)
    let container = try await store.open(Movie.self, FamilyMember.self)
    let (writer, reader) = (container.newContext(), container.newContext())
    let followers: [any AnyFollower] = [
      Follower(
        try await ResultsFollower(
          container, FetchDescriptor(Movie.self, sort: [.ascending(\.title)]), sectionedBy: \.popularity)),
      Follower(
        try await ResultsFollower(
          container, FetchDescriptor(Movie.self, where: { $0.title > "title 2" }, sort: [.descending(\.popularity)]))),
      Follower(
        try await ResultsFollower(container, FetchDescriptor(Movie.self, sort: [.descending(\.title)], limit: 7))),
    ]
    let holder = Holder()
    // Created after the results, it receives each commit after them.
    var commits = container.commits.makeAsyncIterator()
    for round in 0..<Self.rounds {
      let kind = Int.random(in: 0..<4, using: &random)
      // Some rounds change more rows than the results read one by one.
      let count = round % 10 == 9 ? 400 : Int.random(in: 1..<40, using: &random)
      let first = Int.random(in: 0..<1_000, using: &random)
      let title = "title \(Int.random(in: 0..<7, using: &random))"
      try await writer.persist { objects in
        switch kind {
        case 0, 1:
          _ = try objects.import(first..<first + count, into: Movie.self, matching: \.remoteID, Self.fields)
        case 2:
          _ = try objects.update(
            Movie.self, where: { $0.title == title },
            set: [.set(\.popularity, to: Double(count)), .set(\.title, to: "moved")])
        default: _ = try objects.delete(Movie.self, where: { $0.title == title })
        }
        // Every round changes at least one object.
        objects.insert(Movie.self).title = title
      }
      _ = await commits.next()
      for (index, follower) in followers.enumerated() {
        try await follower.check(reader, "seed \(seed), round \(round), result \(index)")
      }
      let other = container.newContext()
      let stored = try await other.perform { objects in
        try objects.fetch(Movie.self).map { "\($0.id.rawValue) \($0.title) \($0.popularity ?? -1)" }
      }
      let held = try await reader.perform { objects in
        // The values in memory, before any fetch
        let known = holder.movies.filter { !$0.isDeleted }.map {
          "\($0.id.rawValue) \($0.title) \($0.popularity ?? -1)"
        }
        holder.movies = try objects.fetch(Movie.self)
        return known
      }
      #expect(Set(held).subtracting(stored).isEmpty, "seed \(seed), round \(round)")
    }
    try await reader.perform { _ in holder.movies = [] }
  }
}
