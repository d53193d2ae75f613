import Foundation
import Persistence

/// A movie that somebody wants to see; what the movie database knows of it follows later.
final class Movie: ManagedObject {
  @Attribute var title = ""
  /// The title without case and accents, by which a person knows the movie. Several movies may have the same.
  @Attribute(.indexed) var key = ""
  /// By which movies of one title are distinguished; nil until it is known.
  @Attribute var year: Int?
  /// What the movie is for the movie database; nil until that has found it.
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
