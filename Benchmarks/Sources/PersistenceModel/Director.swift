public import Persistence

/// The owner of a to-many.
public final class Director: ManagedObject {
  @Attribute public var name = ""
  @ToMany(inverse: \Film.director) public var films: RelatedObjects<Film>
}

/// The member of a to-many.
public final class Film: ManagedObject {
  @Attribute public var title = ""
  @Attribute public var year: Int64 = 0
  @ToOne public var director: Director?
}
