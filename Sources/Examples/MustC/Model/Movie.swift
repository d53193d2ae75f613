import Foundation
import Persistence

/// A movie that somebody wants to see; what the movie database knows of it follows later.
final class Movie: ManagedObject {
  @Attribute var title = ""
  /// The title without case and accents: what makes two titles the same movie to a person.
  @Attribute(.unique) var key = ""
  /// Nil until the movie database has found the movie.
  @Attribute(.unique) var remoteID: Int64?
  /// How much the movie is looked at; no rating.
  @Attribute var popularity: Double?
  /// What people thought of it, from 0 to 10.
  @Attribute var rating: Double?
  @ToMany var familyMembers: Related<FamilyMember>

  static func key(for title: String) -> String {
    title.folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil)
  }
}
