import Foundation
import Persistence

/// A movie that someone wants to see. Data from the movie database is added later.
final class Movie: ManagedObject {
  @Attribute var title = ""
  /// The title without case and accents, used for lookup. Several movies can have the same key.
  @Attribute(.indexed) var key = ""
  /// The year, which distinguishes movies with the same title. Nil until the year is known.
  @Attribute var year: Int?
  /// The movie's id in the movie database. Nil until the movie has been found there.
  @Attribute(.unique) var remoteID: Int64?
  /// How often the movie is viewed. This is not a rating.
  @Attribute var popularity: Double?
  /// The average rating, from 0 to 10.
  @Attribute var rating: Double?
  @ToMany var familyMembers: RelatedObjects<FamilyMember>

  static func key(for title: String) -> String {
    title.folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil)
  }
}
