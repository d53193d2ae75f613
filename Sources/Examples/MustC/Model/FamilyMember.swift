import Persistence

/// A person who wants to see movies.
final class FamilyMember: ManagedObject {
  @Attribute(.unique) var name = ""
  @ToMany(inverse: \Movie.familyMembers) var movies: RelatedObjects<Movie>
}
