public import Foundation
public import Persistence

public final class FamilyMember: ManagedObject {
  @Attribute(.unique) public var name = ""
  @ToMany(inverse: \Movie.familyMembers) public var movies: RelatedObjects<Movie>
}

public final class Director: ManagedObject {
  @Attribute(.unique) public var name = ""
  @ToMany(inverse: \Movie.director) public var movies: RelatedObjects<Movie>
}

public final class Movie: ManagedObject {
  public enum Kind: String, AttributeValue, Sendable { case film, series }
  @Attribute public var title = ""
  @Attribute public var kind = Kind.film
  @Attribute public var year = 0
  @Attribute public var views = 0
  @Attribute public var isSilent = false
  @Attribute public var seen = false
  @Attribute public var rating: Double?
  @Attribute public var popularity: Double?
  @Attribute(.unique) public var remoteID: Int64?
  @ToOne public var director: Director?
  @ToMany public var familyMembers: RelatedObjects<FamilyMember>
}

public final class Article: ManagedObject {
  @Attribute(.searchable) public var title = ""
  @Attribute(.searchable) public var body: String?
  @Attribute public var year = 0
}

public final class Episode: ManagedObject {
  @Attribute public var season = 1
  @Attribute public var number = 1
}

public final class Show: ManagedObject {
  @Attribute public var episodes = 0
  @Attribute public var year = 0
  @Attribute public var rating = 0.0
  @Attribute public var genre = ""
}

public struct MovieFacts: Sendable {
  public var id: Int64
  public var title: String
  public var popularity: Double
  public var director: String?
  public var members: [String]
}

@MainActor public final class Screen: FetchedResultsControllerDelegate {
  public typealias Object = Movie
  public func show(_ result: Result<Void, PersistenceError>) {}
}

public var screen: Screen { fatalError() }
public var movies: [MovieFacts] { fatalError() }
public var token: HistoryToken {
  get { fatalError() }
  set {}
}
@MainActor public func showMovies() {}
public func show(_ changes: ChangeSet) {}
public func show(_ titles: [String]) {}
public func showAll(_ titles: [String]) {}
public func show(_ snapshot: ResultsSnapshot<Movie>, changing difference: ResultsDifference<Movie>) {}
public var url: URL { fatalError() }
public var typed: String { fatalError() }
public var text: SearchText { fatalError() }
public var bundledStore: URL { fatalError() }
public var id: ObjectID<Movie> { fatalError() }
public var container: PersistentContainer { fatalError() }
public var context: ObjectContext { fatalError() }
public var objects: ObjectSpace { fatalError() }
