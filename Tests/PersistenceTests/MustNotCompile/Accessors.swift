// Accesses of properties in a client. CompiledCodeTests examines their optimized code.
import Persistence

public final class Movie: ManagedObject {
  @Attribute public var title = ""
  @Attribute public var rating: Double?
  @Attribute public var votes: Int64 = 0
  @ToOne public var director: Director?
  @ToMany public var members: RelatedObjects<Member>
}

public final class Director: ManagedObject {
  @ToMany(inverse: \Movie.director) public var movies: RelatedObjects<Movie>
}

public final class Member: ManagedObject {
  @ToMany(inverse: \Movie.members) public var movies: RelatedObjects<Movie>
}

@inline(never) public func probeAttributes(_ movie: Movie, _ text: String) -> Int64 {
  movie.votes &+= 1
  movie.title = text
  movie.title += "."
  movie.rating = movie.rating.map { $0 + 1 }
  return movie.votes
}

@inline(never) public func probeRelationships(_ movie: Movie, _ director: Director, _ member: Member) -> Bool {
  let before = movie.director
  movie.director = director
  movie.members.insert(member)
  return before === director && movie.members.isEmpty
}

#if WALKED
/// An access by key path, for comparison.
@inline(never) public func probeWalked(_ movie: Movie, _ path: ReferenceWritableKeyPath<Movie, Int64>) -> Int64 {
  movie[keyPath: path] &+= 1
  return movie[keyPath: path]
}
#endif
