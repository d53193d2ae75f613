public import Foundation
public import Persistence

public final class FamilyMember: ManagedObject {
  @Attribute(.unique) public var name = ""
  @ToMany(inverse: \Movie.familyMembers) public var movies: Related<Movie>
}

public final class Movie: ManagedObject {
  public enum Kind: String, AttributeValue, Sendable { case film, series }
  @Attribute public var title = ""
  @Attribute public var kind = Kind.film
  @Attribute public var year = 0
  @Attribute public var rating: Double?
  @Attribute public var popularity: Double?
  @Attribute(.unique) public var remoteID: Int64?
  @ToMany public var familyMembers: Related<FamilyMember>
}

public final class Show: ManagedObject {
  @Attribute public var episodes = 0
  @Attribute public var year = 0
  @Attribute public var rating = 0.0
  @Attribute public var genre = ""
}

@MainActor public final class Screen: Sendable {
  public func show(_ result: Result<Void, PersistenceError>) {}
}

public var url: URL { fatalError() }
public var id: ObjectID<Movie> { fatalError() }
public var container: PersistentContainer { fatalError() }
public var context: ObjectContext { fatalError() }
public var objects: ObjectSpace { fatalError() }
