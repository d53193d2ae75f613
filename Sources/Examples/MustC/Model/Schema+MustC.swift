import Foundation
import Persistence

extension Schema {
  /// The third model. The first had only names and titles. In the second, titles were unique.
  static let mustC = Schema(FamilyMember.self, Movie.self).version(
    3,
    [
      .custom("a key for each title", in: 3) { store in
        // All other changes are inferred. The key of the second model is unique and is therefore replaced.
        if store.attributes(of: "Movie").contains("key") { try store.removeAttribute("key", of: "Movie") }
        try store.addAttribute("key", .text, of: "Movie", initial: .text(""))
        try store.forEachRow(of: "Movie") { row in
          guard case .text(let title) = try row["title"] else { return }
          try store.update("Movie", id: row.id, ["key": .text(Movie.key(for: title))])
        }
      }
    ])
}
