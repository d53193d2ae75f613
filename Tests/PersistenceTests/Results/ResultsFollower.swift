import Testing

@testable import Persistence

/// Follows live results through their updates, and compares them with a fetch.
final class ResultsFollower<Object: ManagedObject>: Sendable {
  let results: LiveResults<Object>
  private let request: FetchDescriptor<Object>
  private let key: (@Sendable (Object) -> StoredValue)?

  init(_ container: PersistentContainer, _ request: FetchDescriptor<Object>) async throws {
    results = try await container.results(request)
    self.request = request
    key = nil
  }

  init<Key: AttributeValue>(
    _ container: PersistentContainer, _ request: FetchDescriptor<Object>,
    sectionedBy path: any KeyPath<Object, Key> & Sendable
  ) async throws {
    results = try await container.results(request, sectionedBy: path)
    self.request = request.sectioned(by: path)
    key = { $0[keyPath: path].stored }
  }

  /// The fetched ids, in sections.
  func fetched(_ context: ObjectContext) async throws -> [[ObjectID<Object>]] {
    let (request, key) = (request, key)
    return try await context.perform { objects in
      let ids = try objects.fetchIDs(request)
      guard let key else { return [ids] }
      var keys: [StoredValue] = []
      var sections: [[ObjectID<Object>]] = []
      for (object, id) in zip(try objects.fetch(request), ids) {
        let next = key(object)
        if keys.last?.isSame(as: next) != true {
          keys.append(next)
          sections.append([])
        }
        sections[sections.count - 1].append(id)
      }
      return sections
    }
  }
}

/// A follower of results of any class.
protocol AnyFollower: Sendable {
  /// Takes the pending updates, and expects them to lead to the fetched ids.
  func check(_ context: ObjectContext, _ comment: Comment) async throws
}

/// Takes updates one by one.
actor Follower<Object: ManagedObject>: AnyFollower {
  private let follower: ResultsFollower<Object>
  private var updates: ResultsUpdates<Object>.Iterator
  private var sections: [[ObjectID<Object>]] = []
  private(set) var taken = 0

  init(_ follower: ResultsFollower<Object>) {
    self.follower = follower
    updates = follower.results.updates.makeAsyncIterator()
  }

  private func take() async throws {
    var iterator = updates
    let next = await iterator.next(isolation: self)
    updates = iterator
    let update = try #require(next)
    if taken == 0 {
      #expect(update.difference.isEmpty)
      sections = update.snapshot.idsBySection
    } else {
      let before = sections
      #expect(!update.difference.isEmpty)
      update.difference.apply(to: &sections)
      #expect(sections == update.snapshot.idsBySection, "\(before) + \(update.difference)")
      checkIndexPaths(update.difference, before, sections)
    }
    #expect(update.snapshot.map { $0 } == sections.flatMap { $0 })
    taken += 1
  }

  /// Every id has the index paths that the difference gives for before and after.
  private func checkIndexPaths(
    _ difference: ResultsDifference<Object>, _ old: [[ObjectID<Object>]], _ new: [[ObjectID<Object>]]
  ) {
    for place in difference.deletions { #expect(old[place.indexPath.section][place.indexPath.item] == place.id) }
    for place in difference.insertions { #expect(new[place.indexPath.section][place.indexPath.item] == place.id) }
    for move in difference.moves + difference.updates {
      #expect(old[move.from.section][move.from.item] == move.id && new[move.to.section][move.to.item] == move.id)
    }
    #expect(difference.insertions.map(\.indexPath) == difference.insertions.map(\.indexPath).sorted())
    #expect(difference.moves.map(\.to) == difference.moves.map(\.to).sorted())
  }

  func check(_ context: ObjectContext, _ comment: Comment) async throws {
    let now = follower.results.snapshot.idsBySection
    if taken == 0 { try await take() }
    while sections != now { try await take() }
    #expect(try await follower.fetched(context) == now, comment)
    #expect(follower.results.failure == nil)
  }
}
