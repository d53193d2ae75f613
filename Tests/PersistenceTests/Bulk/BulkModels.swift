import Foundation
import Persistence

enum Tone: String, AttributeValue {
  case drama, comedy
}

final class Title: ManagedObject {
  @Attribute(.unique) var remoteID: Int64?
  @Attribute var name = ""
  @Attribute var rating = 1.5
  @Attribute var year: Int?
  @Attribute var genre = Tone.drama
  @Attribute var untouched = "as it was"
  @ToOne var studio: House?
  @ToMany var tags: RelatedObjects<Tag>
  @ToMany(deleteRule: .cascade) var reviews: RelatedObjects<Review>
}

final class House: ManagedObject {
  @Attribute(.unique) var name = ""
  @ToMany(inverse: \Title.studio) var titles: RelatedObjects<Title>
}

final class Tag: ManagedObject {
  @Attribute var text = ""
  @ToMany(inverse: \Title.tags) var titles: RelatedObjects<Title>
}

final class Review: ManagedObject {
  @Attribute var text = ""
  @ToOne(inverse: \Title.reviews) var title: Title?
  @ToMany(inverse: \Reply.review, deleteRule: .deny) var replies: RelatedObjects<Reply>
}

final class Reply: ManagedObject {
  @Attribute var text = ""
  @ToOne var review: Review?
}

/// A row of a server's response.
struct TitleRow: Sendable {
  var id: Int64?
  var name = ""
  var rating = 0.0
  var year: Int?
  var genre = Tone.comedy

  static func make(_ number: Int) -> TitleRow {
    TitleRow(
      id: Int64(number), name: "Title \(number)", rating: Double(number) / 2, year: number % 3 == 0 ? nil : number)
  }

  static var fields: [ImportField<Title, TitleRow>] {
    [
      .set(\.remoteID) { $0.id }, .set(\.name) { $0.name }, .set(\.rating) { $0.rating }, .set(\.year) { $0.year },
      .set(\.genre) { $0.genre },
    ]
  }

  static let schema = Schema(Title.self, House.self, Tag.self, Review.self, Reply.self)
}

extension Title {
  var seen: String { "\(remoteID ?? -1) \(name) \(rating) \(year ?? -1) \(genre) \(untouched)" }
}
