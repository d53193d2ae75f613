import Foundation

/// A world map as an inline SVG: a grid of degrees, and a dot for each position.
struct MapPicture {
  let positions: [MapPosition]
  /// The radius of a dot in degrees.
  let dot: Double

  var svg: String {
    let meridians = stride(from: -150, through: 150, by: 30).map { "M\($0) -90V90" }
    let parallels = stride(from: -60, through: 60, by: 30).map { "M-180 \($0)H180" }
    let dots = positions.map {
      String(format: "<circle cx=\"%.2f\" cy=\"%.2f\" r=\"%.1f\"/>", $0.longitude, -$0.latitude, dot)
    }
    return """
      <svg class="map" viewBox="-180 -90 360 180" role="img" aria-label="map">\
      <path class="net" d="\((meridians + parallels).joined())"/><path class="equator" d="M-180 0H180"/>\
      \(dots.joined())</svg>
      """
  }
}
