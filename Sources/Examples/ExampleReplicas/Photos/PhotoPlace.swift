/// A place on the map that the replica uses.
struct PhotoPlace: Sendable {
  let locality: String
  let region: String?
  let country: String
  let latitude: Double
  let longitude: Double

  private init(_ locality: String, _ region: String?, _ country: String, _ latitude: Double, _ longitude: Double) {
    self.locality = locality
    self.region = region
    self.country = country
    self.latitude = latitude
    self.longitude = longitude
  }

  var id: String {
    let digits = String(stableHash("place", locality, country), radix: 36)
    return "\(digits.prefix(4)).\(digits.dropFirst(4))"
  }
  var woeid: String { "\(stableHash("woeid", locality, country) % 30_000_000)" }

  /// All places. Some places have no region, as in small countries.
  static let all = [
    PhotoPlace("Kyoto", "Kyoto Prefecture", "Japan", 35.01, 135.77),
    PhotoPlace("Uji", "Kyoto Prefecture", "Japan", 34.88, 135.80),
    PhotoPlace("Sapporo", "Hokkaido Prefecture", "Japan", 43.06, 141.35),
    PhotoPlace("London", "England", "United Kingdom", 51.51, -0.13),
    PhotoPlace("Whitby", "England", "United Kingdom", 54.49, -0.61),
    PhotoPlace("Edinburgh", "Scotland", "United Kingdom", 55.95, -3.19),
    PhotoPlace("Atlantis", "Nowhere", "Utopia", 31.2, -24.6),
    PhotoPlace("Lerwick", "Scotland", "United Kingdom", 60.15, -1.14),
    PhotoPlace("San Francisco", "California", "United States", 37.77, -122.42),
    PhotoPlace("Palo Alto", "California", "United States", 37.44, -122.14),
    PhotoPlace("Fargo", "North Dakota", "United States", 46.88, -96.79),
    PhotoPlace("Montréal", "Quebec", "Canada", 45.51, -73.55),
    PhotoPlace("Berlin", "Berlin", "Germany", 52.52, 13.40),
    PhotoPlace("München", "Bavaria", "Germany", 48.14, 11.58),
    PhotoPlace("Garmisch", "Bavaria", "Germany", 47.49, 11.10),
    PhotoPlace("Lyon", "Auvergne-Rhône-Alpes", "France", 45.76, 4.84),
    PhotoPlace("Lisboa", "Lisbon", "Portugal", 38.72, -9.14),
    PhotoPlace("Marrakech", "Marrakesh-Safi", "Morocco", 31.63, -8.01),
    PhotoPlace("Nairobi", "Nairobi County", "Kenya", -1.29, 36.82),
    PhotoPlace("Cape Town", "Western Cape", "South Africa", -33.92, 18.42),
    PhotoPlace("Melbourne", "Victoria", "Australia", -37.81, 144.96),
    PhotoPlace("Geelong", "Victoria", "Australia", -38.15, 144.36),
    PhotoPlace("Wellington", "Wellington", "New Zealand", -41.29, 174.78),
    PhotoPlace("Ushuaia", "Tierra del Fuego", "Argentina", -54.80, -68.30),
    PhotoPlace("Cusco", "Cusco", "Peru", -13.53, -71.97),
    PhotoPlace("Reykjavík", "Capital Region", "Iceland", 64.15, -21.94),
    PhotoPlace("Longyearbyen", "Svalbard", "Norway", 78.22, 15.64),
    PhotoPlace("Singapore", nil, "Singapore", 1.35, 103.82),
    PhotoPlace("Monaco", nil, "Monaco", 43.74, 7.42),
    PhotoPlace("Suva", "Central Division", "Fiji", -18.14, 178.44),
  ]

  /// A place that has photos but is unknown to the place lookup.
  static let unknown = "Atlantis"

  static let byID = Dictionary(uniqueKeysWithValues: all.map { ($0.id, $0) })
}
