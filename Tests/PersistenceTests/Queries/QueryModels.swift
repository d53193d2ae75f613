import Foundation
import Persistence

enum Genre: String, AttributeValue, CaseIterable { case drama, comedy, war }

/// A class with attributes and relationships of many types.
final class Show: ManagedObject {
  @Attribute(.unique) var key: String = ""
  @Attribute(.indexed) var name = ""
  @Attribute(.indexed) var nick: String?
  @Attribute(.indexed) var year = 0
  @Attribute var episodes: Int64?
  @Attribute var rating: Double?
  @Attribute var weight = 0.0
  @Attribute var seen = false
  @Attribute var liked: Bool?
  @Attribute var genre = Genre.drama
  @Attribute var second: Genre?
  @Attribute var aired = Date(timeIntervalSinceReferenceDate: 0)
  @Attribute var code: UUID?
  @Attribute var price: Decimal?
  @Attribute var small: Float = 0
  @ToOne var studio: Studio?
  @ToMany(inverse: \Actor.shows) var cast: RelatedObjects<Actor>

  var shouting: String { name.uppercased() }
  var beginning: String { String(name.prefix(40)) }
}

final class Studio: ManagedObject {
  @Attribute var name = ""
  @Attribute var city: String?
  @ToMany(inverse: \Show.studio) var shows: RelatedObjects<Show>
}

final class Actor: ManagedObject {
  @Attribute var name = ""
  @Attribute var born: Int?
  @ToMany var shows: RelatedObjects<Show>
}

final class Playlist: ManagedObject {
  @ToMany(inverse: \Song.lists, ordered: true) var songs: RelatedObjects<Song>
}

final class Song: ManagedObject {
  @Attribute var title = ""
  @ToMany var lists: RelatedObjects<Playlist>
}

extension PersistentContainer {
  static func shows() async throws -> PersistentContainer {
    try await PersistentContainer(at: .inMemory, schema: Schema(Show.self, Studio.self, Actor.self))
  }
}

extension ObjectSpace {
  /// Three shows: `a` and `b` of one studio, `c` of none; `a` with two actors, `b` with one of them.
  func insertThreeShows() {
    let studio = insert(Studio.self)
    studio.name = "Mosfilm"
    studio.city = nil
    let (ann, bob) = (insert(Actor.self), insert(Actor.self))
    (ann.name, ann.born) = ("Ann", 1960)
    (bob.name, bob.born) = ("Bob", nil)
    let a = insert(Show.self)
    (a.key, a.name, a.nick, a.year, a.episodes, a.rating) = ("a", "Alpha", "al", 1990, 10, 7.5)
    (a.genre, a.second, a.seen, a.liked, a.weight) = (.drama, .war, true, true, 1.5)
    let b = insert(Show.self)
    (b.key, b.name, b.nick, b.year, b.episodes, b.rating) = ("b", "Beta", nil, 2000, nil, nil)
    (b.genre, b.second, b.seen, b.liked, b.weight) = (.comedy, nil, false, nil, -2)
    let c = insert(Show.self)
    (c.key, c.name, c.nick, c.year, c.episodes, c.rating) = ("c", "Café Gamma", "", 2010, -3, 9)
    (c.genre, c.second, c.seen, c.liked, c.weight) = (.war, .drama, true, false, 0)
    (a.studio, b.studio) = (studio, studio)
    a.cast.insert(contentsOf: [ann, bob])
    b.cast.insert(bob)
  }

  func keys(_ condition: (Row<Show>) -> Query<Show>) throws -> String { try keys(Query(condition)) }

  /// The keys of the shows that the query finds, after a check that evaluation in memory finds the same shows.
  func keys(_ query: Query<Show>) throws -> String {
    let found = try fetch(Show.self, matching: query)
    for show in try fetch(Show.self) {
      let matches = try query.matches(show)
      guard matches == found.contains(show) else { throw Disagreement(key: show.key, matches: matches) }
    }
    return found.map(\.key).joined()
  }
}

/// The store and the evaluator disagree about an object.
struct Disagreement: Error {
  let key: String
  let matches: Bool
}
