import ExampleSupport
import Foundation

extension MovieRow {
  /// `rating 7.9, popularity 21.557`; a dash for what is not known.
  var numbers: String {
    "rating \(Self.text(rating, digits: 1)), popularity \(Self.text(popularity, digits: 3))"
  }

  private static func text(_ number: Double?, digits: Int) -> String {
    number.map { String(format: "%.\(digits)f", $0) } ?? "–"
  }
}

extension TextTable {
  init(movies: [MovieRow]) {
    self.init(movies.map { [$0.title, $0.members.joined(separator: ", "), $0.numbers] })
  }
}
