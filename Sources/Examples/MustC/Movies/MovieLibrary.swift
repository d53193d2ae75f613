import Decoding
import ExampleSupport
import FetchKit
import Foundation
import Persistence

/// The movies that a family wants to see. They are stored immediately, and rated as soon as the movie database
/// responds.
struct MovieLibrary: Sendable {
  private let container: PersistentContainer
  private let context: ObjectContext
  private let client: FetchClient
  private let access: ServiceAccess
  /// The migration of a store with an earlier model, or nil if no migration was needed.
  let migration: MigrationReport?

  /// - Parameter followsOthers: Whether ``updates()`` also reports changes by other processes.
  /// - Throws: `PersistenceError` if the store cannot be opened.
  init(store: URL, access: ServiceAccess, followsOthers: Bool = false) async throws {
    container = try await PersistentContainer(at: .file(store), schema: .mustC) {
      if followsOthers { $0.pollInterval = .milliseconds(200) }
    }
    context = container.newContext()
    migration = container.migration
    client = FetchClient {
      $0.retry = .standard
      $0.redactedQueryItems = ["api_key"]
    }
    self.access = access
  }

  /// Finds or creates the movie and the member, relates them, and returns when both are stored.
  ///
  /// If several movies match, a separate movie is created until the movie database determines which one is meant.
  func add(_ title: String, year: Int? = nil, for member: String) async throws -> ObjectID<Movie> {
    try await add(for: member) { objects in
      let key = Movie.key(for: title)
      let known = try objects.fetch(Movie.self, where: { $0.key == key }).filter { year == nil || $0.year == year }
      if known.count == 1 { return known[0] }
      return known.first { $0.remoteID == nil && $0.year == year } ?? Self.insert(title, year, in: objects)
    }
  }

  /// Does the same for a movie from the movie database, which is found by its id there, or by title and year while it
  /// has no id.
  func add(_ facts: MovieFacts, for member: String) async throws -> ObjectID<Movie> {
    try await add(for: member) { objects in
      if let known = try objects.first(Movie.self, where: { $0.remoteID == facts.id }) { return known }
      let key = Movie.key(for: facts.title)
      let known = try objects.fetch(Movie.self, where: { $0.key == key })
      let movie = known.first { $0.remoteID == nil && $0.year == facts.year }
      return movie ?? Self.insert(facts.title, facts.year, in: objects)
    }
  }

  /// Returns all movies by title, or those that one member wants to see.
  func movies(of member: String? = nil) async throws -> [MovieRow] {
    try await context.perform { objects in
      var query = Query<Movie>.all
      if let member {
        guard try objects.exists(FamilyMember.self, where: { $0.name.folded == member }) else {
          throw Failure("there is no member “\(member)”; run members to see all members")
        }
        query = Query { $0.familyMembers.contains { $0.name.folded == member } }
      }
      let request = FetchDescriptor(matching: query, sort: [.ascending(\.key), .ascending(\.year)]).prefetching(
        \.familyMembers)
      return try objects.fetch(request).map(MovieRow.init)
    }
  }

  /// The movies by title, now and after every change.
  func updates() async throws -> ResultsUpdates<Movie> {
    try await container.results(FetchDescriptor(Movie.self, sort: [.ascending(\.key), .ascending(\.year)])).updates
  }

  /// Returns the movies of a snapshot, except those that have since been removed.
  func rows(_ snapshot: ResultsSnapshot<Movie>) async throws -> [(id: ObjectID<Movie>, row: MovieRow)] {
    try await context.perform { objects in
      try snapshot.compactMap { id in try objects.existingObject(id).map { (id, MovieRow($0)) } }
    }
  }

  func members() async throws -> [MemberRow] {
    try await context.perform { objects in
      let request = FetchDescriptor(FamilyMember.self, sort: [.ascending(\.name)]).prefetching(\.movies)
      return try objects.fetch(request).map(MemberRow.init)
    }
  }

  func row(_ id: ObjectID<Movie>) async throws -> MovieRow {
    try await context.perform { MovieRow(try $0.object(id)) }
  }

  /// Removes the movie with this title, ignoring case and accents.
  ///
  /// - Parameter year: Selects one movie if several have this title.
  func remove(_ title: String, year: Int? = nil) async throws -> MovieRow {
    try await context.persist { objects in
      let key = Movie.key(for: title)
      let movies = try objects.fetch(Movie.self, where: { $0.key == key }, sort: [.ascending(\.year)])
        .filter { year == nil || $0.year == year }
      guard let movie = movies.first else { throw Failure("there is no movie “\(title)”; run list to see all movies") }
      guard movies.count == 1 else {
        let years = movies.map { $0.year.map { "\($0)" } ?? "unknown" }.joined(separator: ", ")
        throw Failure("there are \(movies.count) movies titled “\(title)” from the years \(years); use --year YEAR")
      }
      let row = MovieRow(movie)
      objects.delete(movie)
      return row
    }
  }

  func search(for title: String, year: Int? = nil) async throws(FetchError) -> MovieHits {
    let page: MoviePage = try await client.fetch(request(.search(title: title, year: year)), .answer)
    return MovieHits(title: title, year: year, movies: page.movies)
  }

  /// Requests a movie's numbers and stores them. A movie without an id is looked up by its title again.
  ///
  /// - Parameter offer: Receives the matches if the movie had to be looked up. If it is nil, no one sees which movie is
  ///   chosen, so only an exact match is accepted.
  func update(_ id: ObjectID<Movie>, offer: ((MovieHits) -> Void)? = nil) async throws -> Update {
    let (title, year, remoteID) = try await context.perform { objects in
      let movie = try objects.object(id)
      return (movie.title, movie.year, movie.remoteID)
    }
    if let remoteID { return try await store(try await client.fetch(request(.movie(id: remoteID)), .answer), for: id) }
    let hits = try await search(for: title, year: year)
    offer?(hits)
    guard let best = offer == nil ? hits.exactPlace : hits.bestPlace else { return .notFound }
    return try await store(hits.movies[best], for: id)
  }

  /// How a refresh runs. The result is the same for both styles.
  enum RefreshStyle: String {
    case group, operations
  }

  /// Returns the movies that were never found in the movie database.
  ///
  /// - Parameter others: Movies to exclude because their request failed.
  func unknownMovies(but others: Set<ObjectID<Movie>>) async throws -> [MovieRow] {
    try await context.perform { objects in
      try objects.fetch(Movie.self, where: { $0.remoteID == nil }, sort: [.ascending(\.key)]).filter {
        !others.contains($0.id)
      }
      .map { MovieRow($0) }
    }
  }

  /// Updates every movie, a few at a time. A failed update does not stop the others.
  ///
  /// - Parameter progress: Receives the number of finished requests and of all movies.
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
        // Called under the lock, so that the displayed progress never goes backward.
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
    /// The movie database has no movie with this title.
    case notFound
    /// The movie is already stored under another title. The two have been merged.
    case sameAs(ObjectID<Movie>)
  }

  /// Stores the movie database's data for a movie. A movie that was looked up also receives its title from the movie
  /// database.
  ///
  /// - Throws: A `Failure` if the data belongs to another movie.
  func store(_ facts: MovieFacts, for id: ObjectID<Movie>) async throws -> Update {
    try await context.persist { objects in
      let movie = try objects.object(id)
      let isNew = movie.remoteID == nil
      guard isNew || movie.remoteID == facts.id else {
        throw Failure(
          "the service returned movie \(facts.id) instead of movie \(movie.remoteID ?? 0), “\(movie.title)”")
      }
      if isNew, let other = try objects.first(Movie.self, where: { $0.remoteID == facts.id }) {
        for member in movie.familyMembers { other.familyMembers.insert(member) }
        objects.delete(movie)
        facts.write(to: other)
        return .sameAs(other.id)
      }
      let before = (movie.remoteID, movie.year, movie.popularity, movie.rating)
      facts.write(to: movie)
      if isNew { (movie.title, movie.key) = (facts.title, Movie.key(for: facts.title)) }
      return before == (movie.remoteID, movie.year, movie.popularity, movie.rating) ? .unchanged : .changed
    }
  }

  private func add(
    for member: String, _ find: @escaping @Sendable (ObjectSpace) throws -> Movie
  ) async throws -> ObjectID<Movie> {
    try await context.persist { objects in
      let movie = try find(objects)
      let person: FamilyMember
      if let known = try objects.first(FamilyMember.self, where: { $0.name == member }) {
        person = known
      } else {
        person = objects.insert(FamilyMember.self)
        person.name = member
      }
      movie.familyMembers.insert(person)
      return movie.id
    }
  }

  private static func insert(_ title: String, _ year: Int?, in objects: ObjectSpace) -> Movie {
    let movie = objects.insert(Movie.self)
    (movie.title, movie.key, movie.year) = (title, Movie.key(for: title), year)
    return movie
  }

  private func request(_ resource: MovieDB.Resource) -> MovieDB {
    MovieDB(resource: resource, access: access)
  }
}
