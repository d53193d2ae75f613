import Foundation

extension MovieRow {
  /// `rating 7.9, popularity 21.557`; a dash for what is not known.
  var numbers: String {
    "rating \(text(rating, digits: 1)), popularity \(text(popularity, digits: 3))"
  }

  /// Columns as wide as their widest entry.
  static func table(_ rows: [MovieRow]) -> [String] {
    let titles = rows.map(\.title.count).max() ?? 0
    let members = rows.map { $0.members.joined(separator: ", ").count }.max() ?? 0
    return rows.map { row in
      let title = row.title.padding(toLength: titles, withPad: " ", startingAt: 0)
      let names = row.members.joined(separator: ", ").padding(toLength: members, withPad: " ", startingAt: 0)
      return "\(title)  \(names)  \(row.numbers)"
    }
  }

  private func text(_ number: Double?, digits: Int) -> String {
    number.map { String(format: "%.\(digits)f", $0) } ?? "–"
  }
}
