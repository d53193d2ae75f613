// Queries that could take a type checker very long.
import Foundation
import Persistence

enum Genre: String, AttributeValue, Comparable {
  case crime, western
  static func < (left: Genre, right: Genre) -> Bool { left.rawValue < right.rawValue }
}

final class Title: ManagedObject {
  @Attribute var name = ""
  @Attribute var year = 0
  @Attribute var rating: Double?
  @Attribute var votes: Int64 = 0
  @Attribute var genre = Genre.crime
  @Attribute var released: Date?
  @Attribute var isSeen = false
  @ToMany(inverse: \Person.titles) var people: RelatedObjects<Person>
}

final class Person: ManagedObject {
  @Attribute var name = ""
  @ToMany var titles: RelatedObjects<Title>
}

func twelveClauses(_ objects: ObjectSpace, _ name: String, _ date: Date) throws -> [Title] {
  try objects.fetch(
    Title.self,
    where: {
      $0.name == name && $0.year > 1990 && $0.year <= 2020 && $0.rating > 6.5 && $0.votes >= 1000 && $0.genre == .crime
        && !($0.isSeen == true) && $0.released != nil && $0.released < date && ($0.name != "" || $0.rating == nil)
        && $0.votes != 7
    })
}

func twelveClausesOfLiterals(_ objects: ObjectSpace) throws -> Int {
  try objects.count(
    Title.self,
    where: {
      $0.year == 1 || $0.year == 2 || $0.year == 3 || $0.year == 4 || $0.year == 5 || $0.year == 6 || $0.year == 7
        || $0.year == 8 || $0.rating == 9 || $0.rating == 10.5 || $0.votes == 11 || $0.votes == 12
    })
}

func kept() -> Query<Title> {
  Query {
    $0.year == 1 && $0.year == 2 && $0.year == 3 && $0.year == 4 && $0.rating == 5 && $0.rating == 6 && $0.votes == 7
      && $0.votes == 8 && $0.name == "9" && $0.name == "10" && $0.genre == .crime && $0.isSeen == true
  }
}
