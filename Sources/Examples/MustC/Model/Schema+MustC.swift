import Foundation
import Persistence

extension Schema {
  /// The third model. The first had names and titles and nothing else; in the second no two movies had the same title.
  static let mustC = Schema(FamilyMember.self, Movie.self).version(
    3,
    [
      .custom("a key for each title", in: 3) { store in
        // What is new besides is found out by comparison. A key of the second model is unique, and so made again.
        if store.attributes(of: "Movie").contains("key") { try store.removeAttribute("key", of: "Movie") }
        try store.addAttribute("key", .text, of: "Movie", initial: .text(""))
        try store.forEachRow(of: "Movie") { row in
          guard case .text(let title) = row["title"] else { return }
          try store.update("Movie", id: row.id, ["key": .text(Movie.key(for: title))])
        }
      }
    ])
}
