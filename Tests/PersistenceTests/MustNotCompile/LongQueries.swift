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
    where: \.name == name && \.year > 1990 && \.year <= 2020 && \.rating > 6.5 && \.votes >= 1000 && \.genre == .crime
      && !(\.isSeen == true) && \.released != nil && \.released < date && (\.name != "" || \.rating == nil)
      && \.votes != 7)
}

func twelveClausesOfLiterals(_ objects: ObjectSpace) throws -> Int {
  try objects.count(
    Title.self,
    where: \.year == 1 || \.year == 2 || \.year == 3 || \.year == 4 || \.year == 5 || \.year == 6 || \.year == 7
      || \.year == 8 || \.rating == 9 || \.rating == 10.5 || \.votes == 11 || \.votes == 12)
}

func kept() -> Query<Title> {
  \Title.year == 1 && \Title.year == 2 && \Title.year == 3 && \Title.year == 4 && \Title.rating == 5
    && \Title.rating == 6 && \Title.votes == 7 && \Title.votes == 8 && \Title.name == "9" && \Title.name == "10"
    && \Title.genre == .crime && \Title.isSeen == true
}
