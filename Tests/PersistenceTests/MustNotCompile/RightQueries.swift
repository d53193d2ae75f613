// Compiled by QueryTypeCheckingTests, which counts the constraint scopes of each function.
import Foundation
import Persistence

enum Genre: String, AttributeValue { case crime, western }

final class Story: ManagedObject {
  @Attribute var title = ""
  @Attribute var subtitle: String?
  @Attribute var score = 0
  @Attribute var votes: Int64 = 0
  @Attribute var rating: Double?
  @Attribute var genre = Genre.crime
  @Attribute var second: Genre?
  @Attribute var released: Date?
  @Attribute var url: URL?
  @Attribute var isRead = false
  @Attribute var isLiked: Bool?
  @ToOne var author: Author?
  @ToMany(inverse: \Author.liked) var fans: RelatedObjects<Author>
}

final class Author: ManagedObject {
  @Attribute var name = ""
  @Attribute var city: String?
  @Attribute var isActive = true
  @Attribute var born = 1900
  // The names of members that terms have elsewhere.
  @Attribute var count = 0
  @Attribute var isEmpty = 0
  @Attribute var folded = 0
  @ToMany(inverse: \Story.author) var stories: RelatedObjects<Story>
  @ToMany var liked: RelatedObjects<Story>
}

func three(_ objects: ObjectSpace) throws {
  _ = try objects.fetch(Story.self, where: { $0.title == "a" && $0.score > 3 && $0.author.name == "x" })
}

func boolean(_ objects: ObjectSpace) throws {
  _ = try objects.fetch(Story.self, where: { $0.isRead }, sort: [.descending(\.score)])
}

func negated(_ objects: ObjectSpace) throws {
  _ = try objects.count(Story.self, where: { !$0.isRead && $0.rating > 7 && $0.rating != nil && $0.isLiked == false })
}

func twelve(_ objects: ObjectSpace, _ name: String, _ date: Date) throws {
  _ = try objects.fetch(
    Story.self,
    where: {
      $0.title == name && $0.score > 1990 && $0.score <= 2020 && $0.rating > 6.5 && $0.votes >= 1000
        && $0.genre == .crime && !($0.isRead == true) && $0.released != nil && $0.released < date
        && ($0.title != "" || $0.rating == nil) && $0.votes != 7
    }, sort: [.ascending(\.title)], limit: 20)
}

func literals(_ objects: ObjectSpace) throws {
  _ = try objects.exists(
    Story.self,
    where: {
      $0.score == 1 || $0.score == 2 || $0.score == 3 || $0.score == 4 || $0.score == 5 || $0.score == 6
        || $0.score == 7 || $0.score == 8 || $0.rating == 9 || $0.rating == 10.5 || $0.votes == 11 || $0.votes == 12
    })
}

func kept() -> Query<Story> { Query { $0.score == 3 && $0.isRead } }

func combined(_ objects: ObjectSpace) throws {
  _ = try objects.fetch(Story.self, matching: kept() && !Query { $0.title == "x" }, sort: [.ascending(\.title)])
}

func partOfAnother(_ objects: ObjectSpace) throws {
  let kept = kept()
  _ = try objects.fetch(Story.self, where: { kept && $0.title == "x" || $0.author == nil })
}

func members(_ objects: ObjectSpace) throws {
  _ = try objects.fetch(
    Story.self, where: { $0.fans.contains { $0.name == "Ann" && $0.born > 1950 } && $0.fans.count > 2 })
}

func countedMembers(_ objects: ObjectSpace) throws {
  _ = try objects.fetch(
    Story.self,
    where: { $0.fans.count { $0.isActive } >= 1 && $0.fans.allSatisfy { $0.born > 1900 } && !$0.fans.isEmpty })
}

func nested(_ objects: ObjectSpace) throws {
  _ = try objects.fetch(Author.self, where: { $0.stories.contains { $0.fans.contains { $0.name == "Ann" } } })
}

func outerRow(_ objects: ObjectSpace) throws {
  _ = try objects.fetch(Story.self, where: { story in story.fans.contains { $0.name == story.title } })
}

func sets(_ objects: ObjectSpace, _ votes: Set<Int64>) throws {
  _ = try objects.fetch(
    Story.self,
    where: {
      $0.score.isIn(1990...1999) && $0.votes.isIn(votes) && $0.rating.isIn([7.5, nil]) && $0.genre.isIn([.crime])
        && $0.second.isIn([.western]) && $0.rating.isIn(7..<8) && $0.score.isIn(3...)
    })
}

func text(_ objects: ObjectSpace, _ part: String) throws {
  _ = try objects.fetch(
    Story.self, where: { $0.title.contains(part) || $0.subtitle.hasPrefix("a") || $0.title.hasSuffix("b") })
}

func foldedText(_ objects: ObjectSpace, _ part: String) throws {
  _ = try objects.fetch(
    Story.self,
    where: { $0.title.folded == part || $0.subtitle.folded.contains("y") || $0.author.name.folded.like("s%") })
}

func ids(_ objects: ObjectSpace, _ id: ObjectID<Story>, _ author: ObjectID<Author>?) throws {
  _ = try objects.first(
    Story.self, where: { $0.id == id || $0.author == author || $0.author != nil || $0.id.isIn([id]) })
}

func path(_ objects: ObjectSpace) throws {
  _ = try objects.fetch(
    Story.self, where: { $0.author.city == nil && $0.author.isActive && $0.author.stories.contains { $0.isRead } })
}

func namesOfTerms(_ objects: ObjectSpace) throws {
  _ = try objects.fetch(
    Story.self, where: { $0.author.count > 2 && $0.author.isEmpty == 0 && $0.author.folded < 3 })
}

func terms(_ objects: ObjectSpace) throws {
  _ = try objects.fetch(Story.self, where: { $0.subtitle == $0.title && $0.title != $0.author.name })
}

func changes(_ objects: ObjectSpace, _ date: Date) throws {
  try objects.update(Story.self, where: { $0.score > 3 && $0.released <= date }, set: [.set(\.isRead, to: true)])
  try objects.delete(Story.self, where: { $0.author.contains { $0.name == "x" && !$0.isActive } })
}

func trailing(_ objects: ObjectSpace) throws {
  _ = try objects.fetch(Story.self) { $0.title == "a" && $0.url == nil && $0.score > 3 }
  _ = FetchDescriptor(Story.self) { $0.genre != .western && $0.second == .crime }
}

func sorts(_ objects: ObjectSpace) throws {
  _ = try objects.fetch(
    Story.self,
    sort: [
      .ascending { $0.author.name }, .descending(nulls: .last) { $0.rating }, .ascending(\.title),
      .descending { $0.fans.count { $0.isActive } },
    ])
}

func selected(_ objects: ObjectSpace, _ request: FetchDescriptor<Story>) throws {
  let rows = try objects.values(in: request) { ($0.title, $0.score, $0.author.name.optional, $0.author.city ?? "x") }
  let _: [(String, Int, String?, String)] = rows
  let _: [Int] = try objects.values(in: request) { $0.score }
}

func derived(_ objects: ObjectSpace) throws {
  let authors = FetchDescriptor(Author.self, sort: [.ascending(\.name)])
  for (author, count) in try objects.fetch(authors, with: { $0.stories.count { !$0.isRead } }) {
    print(author.name, count + 1)
  }
  for (author, (count, best)) in try objects.fetch(
    authors, with: { ($0.stories.count, $0.stories.maximum { $0.rating }) })
  {
    print(author.name, count, best ?? 0)
  }
}

func groups(_ objects: ObjectSpace) throws {
  let groups = try objects.groups(
    in: FetchDescriptor(Story.self), by: { ($0.genre, $0.author.id.optional) }, having: { $0.count > 1 },
    of: { ($0.count, $0.sum { $0.score }, $0.average { $0.rating }) })
  for ((genre, author), (count, score, rating)) in groups {
    print(genre, author as Any, count, score, rating ?? 0)
  }
}

func arithmetic(_ objects: ObjectSpace) throws {
  _ = try objects.fetch(
    Story.self,
    where: { $0.score * 2 + 1 > 3 && $0.votes - 7 < $0.votes / 2 && $0.rating * 0.5 > 1 && $0.score % 2 == 0 })
}
