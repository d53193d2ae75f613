/// A volume of the replica's catalogue: one edition of a title.
struct CatalogueVolume: Sendable {
  let title: String
  let subject: String
  let edition: Int
  /// A volume that was scanned twice has the ISBN of the previous edition.
  let isbn: String
  private let hash: UInt64

  init(title: String, subject: String, edition: Int) {
    self.title = title
    self.subject = subject
    self.edition = edition
    hash = stableHash("volume", title, "\(edition)")
    let isSecondScan = edition > 0 && hash % 11 == 0
    isbn = Self.isbn(stableHash("isbn", title, "\(isSecondScan ? edition - 1 : edition)"))
  }

  /// Twelve characters, like real ids.
  var id: String {
    let bits = [hash, stableHash("more", title, "\(edition)")].flatMap { hash in (0..<6).map { hash >> ($0 * 6) & 63 } }
    return String(bits.map { Self.alphabet[Int($0)] })
  }

  var authors: [String]? {
    guard hash % 13 != 0 else { return nil }
    let first = Int(hash / 5) % Self.names.count
    let second = Int(hash / 6) % Self.names.count
    return hash % 4 == 0 && second != first ? [Self.names[first], Self.names[second]] : [Self.names[first]]
  }

  var publisher: String? { hash % 6 == 0 ? nil : Self.publishers[Int(hash / 9) % Self.publishers.count] }

  /// `1990`, `1996-06` or `2016-11-17`.
  var published: String? {
    let year = 1950 + Int(hash / 3 % 75)
    let month = String("0\(1 + hash / 7 % 12)".suffix(2))
    let day = String("0\(1 + hash / 11 % 28)".suffix(2))
    switch hash % 8 {
    case 0: return nil
    case 1, 2: return "\(year)"
    case 3: return "\(year)-\(month)"
    default: return "\(year)-\(month)-\(day)"
    }
  }

  /// Both forms of the ISBN in either order, only the short form, only a library's number, or none.
  var identifiers: [(type: String, identifier: String)]? {
    let long = ("ISBN_13", isbn)
    let short = ("ISBN_10", Self.short(isbn))
    switch hash % 16 {
    case 0: return nil
    case 1: return [("OTHER", "OCLC:\(hash % 100_000_000)")]
    case 2: return [short]
    case 3: return [("ISSN", "\(1000 + hash % 9000)-\(1000 + hash / 3 % 9000)")]
    case 4...9: return [long, short]
    default: return [short, long]
    }
  }

  var hasTitle: Bool { hash % 97 != 3 }
  var hasCover: Bool { hash % 5 != 0 }
  var pages: Int? { hash % 7 == 0 ? nil : 40 + Int(hash / 2 % 700) }
  /// A multiple of one half.
  var rating: Double? { hash % 3 == 0 ? Double(4 + hash / 4 % 7) / 2 : nil }
  var about: String? {
    hash % 4 == 0
      ? nil : "What there is to know about \(subject.lowercased()), told \(hash % 2 == 0 ? "slowly" : "at once")."
  }

  private static func isbn(_ hash: UInt64) -> String {
    let digits = "978" + String("000000000\(hash % 1_000_000_000)".suffix(9))
    let sum = digits.enumerated().reduce(0) {
      $0 + ($1.element.wholeNumberValue ?? 0) * ($1.offset.isMultiple(of: 2) ? 1 : 3)
    }
    return digits + "\((10 - sum % 10) % 10)"
  }

  /// The ISBN-10 of the same book.
  private static func short(_ isbn: String) -> String {
    let digits = isbn.dropFirst(3).prefix(9)
    let sum = digits.enumerated().reduce(0) { $0 + ($1.element.wholeNumberValue ?? 0) * (10 - $1.offset) }
    let check = (11 - sum % 11) % 11
    return digits + (check == 10 ? "X" : "\(check)")
  }

  private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
  private static let names = [
    "Ada Brandt", "Tomás Rivera", "Hanna Öberg", "J. K. Marsh", "Wen Li", "Olu Adeyemi", "Fiona MacLeod",
    "Émile Garnier",
    "Priya Nair", "Sven Dahl", "Ruth Abrams", "Kenji Mori",
  ]
  private static let publishers = [
    "Lantern Press", "Harbour & Sons", "Meridian", "Quince Books", "North Shelf", "Éditions du Pont", "Blue Heron",
  ]
}
