import Decoding
import FetchKit
import Foundation
import Persistence

/// The movies a family wants to see: stored at once, rated as soon as the movie database answers.
struct MovieLibrary: Sendable {
  private let context: ObjectContext
  private let client: FetchClient
  private let service: MovieDB.Service

  /// - Throws: `PersistenceError` when the store cannot be opened.
  init(store: URL, service: MovieDB.Service) async throws {
    let container = try await PersistentContainer(
      at: .file(store), schema: Schema(FamilyMember.self, Movie.self))
    context = container.newContext()
    client = FetchClient { $0.redactedQueryItems = ["api_key"] }
    self.service = service
  }

  /// Finds or makes the movie and the member, and relates them; returns when that is stored.
  func add(_ title: String, for member: String) async throws -> ObjectID<Movie> {
    try await context.persist { objects in
      let key = Movie.key(for: title)
      let movie: Movie
      if let known = try objects.fetch(Movie.self, where: \.key == key).first {
        movie = known
      } else {
        movie = objects.insert(Movie.self)
        movie.title = title
        movie.key = key
      }
      let name = member
      let person: FamilyMember
      if let known = try objects.fetch(FamilyMember.self, where: #Predicate { $0.name == name }).first {
        person = known
      } else {
        person = objects.insert(FamilyMember.self)
        person.name = member
      }
      movie.familyMembers.insert(person)
      return movie.id
    }
  }

  func movies() async throws -> [MovieRow] {
    try await context.perform { try $0.fetch(Movie.self, sort: \.key).map(MovieRow.init) }
  }

  func row(_ id: ObjectID<Movie>) async throws -> MovieRow {
    try await context.perform { MovieRow(try $0.object(id)) }
  }

  /// Asks the movie database for one movie's numbers and stores them.
  ///
  /// A movie that was never found is looked up by its title again.
  /// - Returns: Whether anything is different now.
  func update(_ id: ObjectID<Movie>) async throws -> Update {
    let (title, remoteID) = try await context.perform { objects in
      let movie = try objects.object(id)
      return (movie.title, movie.remoteID)
    }
    guard let facts = try await facts(title: title, remoteID: remoteID) else { return .notFound }
    return try await store(facts, for: id)
  }

  /// Updates every movie, four at a time; one that fails does not stop the rest.
  func refresh() async -> RefreshReport<ObjectID<Movie>> {
    await Refresh { $0.concurrency = 4 }.run(listing: {
      try await context.perform { try $0.fetch(Movie.self, sort: \.key).map(\.id) }
    }) { id in
      try await update(id) == .changed ? .changed : .unchanged
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

  private func facts(title: String, remoteID: Int64?) async throws(FetchError) -> MovieFacts? {
    if let remoteID { return try await client.fetch(request(.movie(id: remoteID)), .json()) }
    let hits = try await client.fetch(request(.search(title: title)), .json([MovieFacts].self, at: "results"))
    let key = Movie.key(for: title)
    return hits.first { Movie.key(for: $0.title) == key } ?? hits.first
  }

  private func request(_ resource: MovieDB.Resource) -> MovieDB {
    MovieDB(resource: resource, service: service)
  }

  private func store(_ facts: MovieFacts, for id: ObjectID<Movie>) async throws -> Update {
    try await context.persist { objects in
      let movie = try objects.object(id)
      if let other = try objects.fetch(Movie.self, where: \.remoteID == facts.id).first, other != movie {
        for member in movie.familyMembers { other.familyMembers.insert(member) }
        objects.delete(movie)
        return .sameAs(other.id)
      }
      let before = (movie.remoteID, movie.popularity, movie.rating)
      let after = (facts.id as Int64?, facts.popularity, facts.rating)
      guard before != after else { return .unchanged }
      (movie.remoteID, movie.popularity, movie.rating) = after
      return .changed
    }
  }
}
