import ExampleSupport
import Foundation

extension MovieRow {
  /// `Fargo (1996)`, or without the year where it is not known.
  var name: String { year.map { "\(title) (\($0))" } ?? title }

  /// `rating 7.9, popularity 21.557`; a dash for what is not known.
  var numbers: String { "rating \(shownRating), popularity \(shownPopularity)" }

  fileprivate var shownRating: String { Self.text(rating, digits: 1) }
  fileprivate var shownPopularity: String { Self.text(popularity, digits: 3) }

  private static func text(_ number: Double?, digits: Int) -> String {
    number.map { String(format: "%.\(digits)f", $0) } ?? "–"
  }
}

extension TextTable {
  init(movies: [MovieRow]) {
    self.init(
      ["Title", .whole("Year"), "Members", .whole("Rating"), .whole("Popularity")],
      movies.map { movie in
        [
          movie.title, movie.year.map { "\($0)" } ?? "–", movie.members.joined(separator: ", "), movie.shownRating,
          movie.shownPopularity,
        ]
      })
  }
}
