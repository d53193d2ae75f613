import Foundation
import Persistence

extension Schema {
  /// The second model. The first had names and titles and nothing else.
  static let mustC = Schema(FamilyMember.self, Movie.self).version(
    2,
    [
      .custom("a key for each title", in: 2) { store in
        // What is new besides is found out by comparison; only a key that is unique has to be made.
        try store.addAttribute("key", .text, of: "Movie", initial: .text(""))
        var taken: Set<String> = []
        try store.forEachRow(of: "Movie") { row in
          guard case .text(let title) = row["title"] else { return }
          let key = title.folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil)
          // The first model did not mind a title that was there twice. Nothing is lost: a number keeps them apart.
          var unique = key
          var number = 1
          while !taken.insert(unique).inserted {
            number += 1
            unique = "\(key) (\(number))"
          }
          try store.update("Movie", id: row.id, ["key": .text(unique)])
        }
      }
    ])
}
