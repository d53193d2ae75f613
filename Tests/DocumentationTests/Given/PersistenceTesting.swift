public import Foundation
public import Persistence

public final class Director: ManagedObject {
  @ToMany(inverse: \Film.director) public var films: RelatedObjects<Film>
}

public final class Film: ManagedObject {
  @Attribute public var title = ""
  @ToOne public var director: Director?
}

public var url: URL { fatalError() }
public var schema: Schema { fatalError() }
public var context: ObjectContext { fatalError() }
