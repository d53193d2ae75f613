import ExampleSupport
import Foundation

extension MovieRow {
  /// The title and year as `Fargo (1996)`, or only the title if the year is unknown.
  var name: String { year.map { "\(title) (\($0))" } ?? title }

  /// The numbers as `rating 7.9, popularity 21.557`, with a dash for an unknown value.
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
