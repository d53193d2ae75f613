import Decoding
import ExampleSupport
import FetchKit
import Foundation
import Persistence

/// The movies a family wants to see: stored at once, rated as soon as the movie database answers.
struct MovieLibrary: Sendable {
  private let container: PersistentContainer
  private let context: ObjectContext
  private let client: FetchClient
  private let access: ServiceAccess
  /// What was done to a store of an earlier model; nil where there was nothing to do.
  let migration: MigrationReport?

  /// - Parameter followsOthers: Whether ``updates()`` tells what other processes change in the store, too.
  /// - Throws: `PersistenceError` when the store cannot be opened.
  init(store: URL, access: ServiceAccess, followsOthers: Bool = false) async throws {
    container = try await PersistentContainer(at: .file(store), schema: .mustC) {
      if followsOthers { $0.pollInterval = .milliseconds(200) }
    }
    context = container.newContext()
    migration = container.migration
    client = FetchClient { $0.redactedQueryItems = ["api_key"] }
    self.access = access
  }

  /// Finds or makes the movie and the member, and relates them; returns when that is stored.
  func add(_ title: String, for member: String) async throws -> ObjectID<Movie> {
    try await context.persist { objects in
      let key = Movie.key(for: title)
      let movie: Movie
      if let known = try objects.first(Movie.self, where: \.key == key) {
        movie = known
      } else {
        movie = objects.insert(Movie.self)
        movie.title = title
        movie.key = key
      }
      let person: FamilyMember
      if let known = try objects.first(FamilyMember.self, where: \.name == member) {
        person = known
      } else {
        person = objects.insert(FamilyMember.self)
        person.name = member
      }
      movie.familyMembers.insert(person)
      return movie.id
    }
  }

  /// All movies by title, or those that one member wants to see.
  func movies(of member: String? = nil) async throws -> [MovieRow] {
    try await context.perform { objects in
      var query = Query<Movie>.all
      if let member {
        guard try objects.exists(FamilyMember.self, where: .folded(\.name, equals: member)) else {
          throw Failure("there is no member “\(member)”: members shows all")
        }
        query = .any(\.familyMembers, .folded(\.name, equals: member))
      }
      let request = FetchRequest(where: query, sort: [.ascending(\.key)]).prefetching(\.familyMembers)
      return try objects.fetch(request).map(MovieRow.init)
    }
  }

  /// The movies by title, as they are now and after every change.
  func updates() async throws -> ResultsUpdates<Movie> {
    try await container.results(FetchRequest(Movie.self, sort: [.ascending(\.key)])).updates
  }

  /// The movies of a snapshot, but for those that are gone by now.
  func rows(_ snapshot: ResultsSnapshot<Movie>) async throws -> [(id: ObjectID<Movie>, row: MovieRow)] {
    try await context.perform { objects in
      try snapshot.compactMap { id in try objects.existingObject(id).map { (id, MovieRow($0)) } }
    }
  }

  func members() async throws -> [MemberRow] {
    try await context.perform { objects in
      let request = FetchRequest(FamilyMember.self, sort: [.ascending(\.name)]).prefetching(\.movies)
      return try objects.fetch(request).map(MemberRow.init)
    }
  }

  func row(_ id: ObjectID<Movie>) async throws -> MovieRow {
    try await context.perform { MovieRow(try $0.object(id)) }
  }

  func remove(_ title: String) async throws -> MovieRow {
    try await context.persist { objects in
      let key = Movie.key(for: title)
      guard let movie = try objects.first(Movie.self, where: \.key == key) else {
        throw Failure("there is no movie “\(title)”: list shows all")
      }
      let row = MovieRow(movie)
      objects.delete(movie)
      return row
    }
  }

  func search(for title: String) async throws(FetchError) -> MovieHits {
    MovieHits(
      title: title,
      movies: try await client.fetch(request(.search(title: title)), .json([MovieFacts].self, at: "results")))
  }

  /// Asks for one movie's numbers and stores them. One that was never found is looked up by its title again.
  ///
  /// - Parameter offer: Shown what was found, where it had to be looked up.
  func update(_ id: ObjectID<Movie>, offer: (MovieHits) -> Void = { _ in }) async throws -> Update {
    let (title, remoteID) = try await context.perform { objects in
      let movie = try objects.object(id)
      return (movie.title, movie.remoteID)
    }
    if let remoteID {
      return try await store(try await client.fetch(request(.movie(id: remoteID)), .json(MovieFacts.self)), for: id)
    }
    let hits = try await search(for: title)
    offer(hits)
    guard let best = hits.bestPlace else { return .notFound }
    return try await store(hits.movies[best], for: id)
  }

  /// How a refresh does its work; what comes of it is the same.
  enum RefreshStyle: String {
    case group, operations
  }

  /// Updates every movie, a few at a time; one that fails does not stop the rest.
  ///
  /// - Parameter progress: Told how many of the movies have been asked for.
  func refresh(
    _ refresh: Refresh = Refresh(), _ style: RefreshStyle = .group,
    progress: @escaping @Sendable (_ done: Int, _ count: Int) -> Void = { _, _ in }
  ) async -> RefreshReport<ObjectID<Movie>> {
    let counts = FetchKit.Lock((done: 0, all: 0))
    let list = { @Sendable [context] in
      let ids = try await context.perform { try $0.fetch(Movie.self, sort: \.key).map(\.id) }
      counts.withLock { $0.all = ids.count }
      return ids
    }
    let update = { @Sendable (id: ObjectID<Movie>) -> Refresh.Change in
      defer {
        // Under the lock, so that what is shown never goes back.
        counts.withLock { counts in
          counts.done += 1
          progress(counts.done, counts.all)
        }
      }
      return try await self.update(id) == .changed ? .changed : .unchanged
    }
    return switch style {
    case .group: await refresh.run(listing: list, update: update)
    case .operations: await refresh.enqueue(listing: list, update: update) { _ in }.report
    }
  }

  enum Update: Equatable {
    case changed
    case unchanged
    /// The movie database has no movie of that title.
    case notFound
    /// It is a movie that is stored under another title already; the two are one now.
    case sameAs(ObjectID<Movie>)
  }

  /// Stores what the movie database says of a movie; one that was looked up gets its title from there.
  func store(_ facts: MovieFacts, for id: ObjectID<Movie>) async throws -> Update {
    try await context.persist { objects in
      let movie = try objects.object(id)
      let isNew = movie.remoteID == nil
      let key = Movie.key(for: facts.title)
      let isSame: Query<Movie> = isNew ? \.remoteID == facts.id || \.key == key : \.remoteID == facts.id
      if let other = try objects.first(Movie.self, where: isSame && \.id != id) {
        for member in movie.familyMembers { other.familyMembers.insert(member) }
        objects.delete(movie)
        facts.write(to: other)
        return .sameAs(other.id)
      }
      let before = (movie.remoteID, movie.popularity, movie.rating)
      facts.write(to: movie)
      if isNew { (movie.title, movie.key) = (facts.title, key) }
      return before == (movie.remoteID, movie.popularity, movie.rating) ? .unchanged : .changed
    }
  }

  private func request(_ resource: MovieDB.Resource) -> MovieDB {
    MovieDB(resource: resource, access: access)
  }
}

extension MovieFacts {
  fileprivate func write(to movie: Movie) {
    (movie.remoteID, movie.popularity, movie.rating) = (id, popularity, rating)
  }
}
