import Decoding
import ExampleSupport
import Foundation

/// A photo as described by Flickr. Numbers can be JSON numbers or strings, and a position of zero means none.
struct PhotoFacts: Decodable, Sendable {
  /// The position of a photo according to its description.
  enum Place: Equatable, Sendable {
    case position(MapPosition)
    /// The photographer hides it.
    case hidden
    /// The position is missing or invalid.
    case unsaid
  }

  let id: String
  let secret: String
  let server: String
  let title: String
  let ownerID: String
  let ownerName: String?
  let uploaded: Date?
  let place: Place
  let placeID: String?

  init(from decoder: any Decoder) throws {
    let json = try decoder.nested()
    id = try json.decode(at: "id", as: .words)
    secret = try json.decode(at: "secret", as: .words)
    server = try json.decode(at: "server", as: .words)
    title = try json.decode(at: "title", as: .stringOrNumber)
    ownerID = try json.decode(at: "owner", as: .words)
    ownerName = try json.words(at: "ownername")
    uploaded = try json.decodeIfPresent(at: "dateupload", as: .numberOrString).flatMap(Self.uploadDate)
    place = Place(latitude: try Self.degrees(json, at: "latitude"), longitude: try Self.degrees(json, at: "longitude"))
    placeID = try json.words(at: "place_id")
  }

  private static func degrees(_ json: NestedDecoder, at path: JSONPath) throws -> Double? {
    if let number = try? json.decodeIfPresent(Double.self, at: path) { return number }
    return try json.words(at: path).flatMap { Double($0) }
  }

  /// Returns nil for dates that cannot be upload dates: zero or earlier, or later than tomorrow, because clocks differ.
  private static func uploadDate(_ seconds: Double) -> Date? {
    let tomorrow = Date(timeIntervalSinceNow: 24 * 60 * 60).timeIntervalSince1970
    return seconds > 0 && seconds <= tomorrow ? Date(timeIntervalSince1970: seconds) : nil
  }
}

extension PhotoFacts.Place {
  init(latitude: Double?, longitude: Double?) {
    if let position = MapPosition(latitude: latitude, longitude: longitude) {
      self = .position(position)
    } else {
      self = latitude == 0 && longitude == 0 ? .hidden : .unsaid
    }
  }
}

/// A position on the map in degrees.
struct MapPosition: Equatable, Sendable {
  let latitude: Double
  let longitude: Double

  /// Returns nil if a value is missing or out of range, or if the position is 0, 0, which Flickr uses for no position.
  init?(latitude: Double?, longitude: Double?) {
    guard let latitude, let longitude, (-90...90).contains(latitude), (-180...180).contains(longitude),
      latitude != 0 || longitude != 0
    else { return nil }
    self.latitude = latitude
    self.longitude = longitude
  }
}
