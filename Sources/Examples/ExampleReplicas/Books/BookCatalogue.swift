/// The replica's volumes, which are combinations of subjects and title patterns. Each title has one to four editions.
enum BookCatalogue {
  static let volumes: [CatalogueVolume] = subjects.flatMap { subject in
    patterns.flatMap { pattern in
      let title = pattern.replacing("%", with: subject)
      let editions = 1 + Int(stableHash("editions", title) % 4)
      return (0..<editions).map { CatalogueVolume(title: title, subject: subject, edition: $0) }
    }
  }

  static let volumesByID = Dictionary(uniqueKeysWithValues: volumes.map { ($0.id, $0) })

  private static let subjects = [
    "Ruby", "Swift", "Whales", "Bread", "Gardens", "Clocks", "Lighthouses", "Maps", "Tea", "Winter", "Trains", "Moths",
    "Pigments", "Salt", "Rivers", "Chess", "Violins", "Bees", "Glass", "Letters",
  ]
  private static let patterns = [
    "%", "The % Book", "A Short History of %", "% for Beginners", "Advanced %", "The Secret Life of %",
    "% & Other Stories", "The Art of %", "% in Practice", "Understanding %", "A Field Guide to %", "The Last of the %",
    "%: An Introduction", "Notes on %", "The % Keeper", "Against %", "Why %?", "The Complete %", "% by Night",
    "The Weight of %", "A Year of %", "%, Revisited", "The Trouble with %", "Élégie pour %",
  ]
}
