/// What canada.json holds: an outline in 55 000 pairs of coordinates.
struct Map: Codable, Equatable {
  var type: String
  var features: [Feature]

  struct Feature: Codable, Equatable {
    var type: String
    var properties: [String: String]
    var geometry: Geometry
  }

  struct Geometry: Codable, Equatable {
    var type: String
    var coordinates: [[[Double]]]
  }

  /// For documents of its own where there is no recorded one.
  static let sample = Map(
    type: "FeatureCollection",
    features: [
      Feature(
        type: "Feature", properties: ["name": "Somewhere"],
        geometry: Geometry(
          type: "Polygon",
          coordinates: (0..<480).map { ring in
            (0..<115).map { point in
              let index = Double(ring * 115 + point)
              return [-65.613_616_999_999_977 - index / 997, 43.420_273_000_000_009 + index / 1009]
            }
          }))
    ])
}
