/// A photo of the replica's endless stream. One photo is uploaded every thirty seconds, and its number determines all
/// of its data.
struct StreamPhoto: Sendable {
  let number: Int
  private let hash: UInt64

  init(number: Int) {
    self.number = number
    hash = stableHash("photo", "\(number)")
  }

  /// The newest photo at a time in minutes since 1970.
  static func newest(at tick: Int) -> Int { tick * 2 }

  var id: String { "\(50_000_000_000 + number)" }
  var secret: String { String(String(hash, radix: 16).prefix(10)) }
  var server: String { "\(5000 + hash % 4000)" }
  var farm: Int { Int(1 + hash % 9) }
  /// Seconds since 1970.
  var uploaded: Int { number * 30 }
  /// Whether the photo was made private before it could be shown. Such a photo is counted, but never returned.
  var isPrivate: Bool { hash % 29 == 0 }

  /// Some photographers upload far more than others. Two have the same name.
  var owner: (id: String, name: String) {
    let names = Self.names
    let index = Int(hash / 7 % 60) * Int(hash / 11 % 60) / 60
    return ("\(10_000_000 + index * 131)@N0\(index % 9)", names[index % names.count])
  }

  /// Often empty, as in real data, and sometimes edited ten minutes later.
  func title(at tick: Int) -> String {
    guard hash % 7 != 0 else { return "" }
    let title = Self.titles[Int(hash / 13) % Self.titles.count]
    return hash % 5 == 0 && tick - uploaded / 60 >= 10 ? "\(title) (edited)" : title
  }

  var place: PhotoPlace {
    let count = UInt64(PhotoPlace.all.count)
    return PhotoPlace.all[Int(hash / 17 % count * (hash / 19 % count) / count)]
  }

  /// The position in the formats of the real service: numbers, strings, and 0 or `"0.000000"` for none.
  var position: (latitude: any JSONValue, longitude: any JSONValue, placeID: String?) {
    let place = place
    let latitude = place.latitude + Double(hash % 2000) / 100_000
    let longitude = place.longitude + Double(hash / 3 % 2000) / 100_000
    switch hash % 40 {
    case 0: return (0, 0, nil)
    case 1: return ("0.000000", "0.000000", nil)
    case 2...9: return (rounded(latitude), rounded(longitude), place.id)
    default: return (Self.number(rounded(latitude)), Self.number(rounded(longitude)), place.id)
    }
  }

  /// A string or a number. Clients have to accept both.
  func either(_ number: Int) -> any JSONValue { hash % 3 == 0 ? number : "\(number)" }

  private func rounded(_ degrees: Double) -> String {
    let micro = Int((degrees * 1_000_000).rounded())
    let digits = "\(abs(micro) % 1_000_000)"
    let sign = micro < 0 ? "-" : ""
    return "\(sign)\(abs(micro) / 1_000_000).\(String(repeating: "0", count: 6 - digits.count))\(digits)"
  }

  private static func number(_ text: String) -> Double { Double(text) ?? 0 }

  private static let names = [
    "Ada Lindqvist", "minoru.k", "Old Harbour Pictures", "José & Inês", "tiny_steps", "Grace H.", "北野", "Wim van Dam",
    "<b>bold</b> photography", "Ngaio", "Amélie P.", "sam.sam.sam", "Dusty Roads", "K. Abebe", "Tara O'Neill", "Jón",
  ]
  private static let titles = [
    "Morning at the harbour", "DSC_0040", "Fish & chips", "Untitled", "祇園祭", "The last light", "Rain again",
    "“Quiet”, they said", "IMG_2231.JPG", "A door <open>", "Café Lumière", "Street, late", "Two boats", "Salt",
    "Ice 🧊", "Window #4", "Grandmother's garden", "Platform 9", "Fog over the bay", "Nobody there",
  ]
}
