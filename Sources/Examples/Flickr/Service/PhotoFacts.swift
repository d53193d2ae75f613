import Decoding
import Foundation

/// A photo as Flickr tells it. Numbers come as numbers or as text, and a position of zero is none.
struct PhotoFacts: Decodable, Sendable {
  let id: String
  let secret: String
  let server: String
  let title: String
  let ownerID: String
  let ownerName: String?
  let uploaded: Date?
  let position: MapPosition?
  let placeID: String?

  init(from decoder: any Decoder) throws {
    let json = try decoder.nested()
    id = try json.decode(at: "id", as: .textOrNumber)
    secret = try json.decode(at: "secret")
    server = try json.decode(at: "server", as: .textOrNumber)
    title = try json.decode(at: "title")
    ownerID = try json.decode(at: "owner")
    ownerName = try json.decodeIfPresent(at: "ownername")
    let seconds: Double? = try json.decodeIfPresent(at: "dateupload", as: .numberOrText)
    uploaded = seconds.map(Date.init(timeIntervalSince1970:))
    position = MapPosition(
      latitude: try json.decodeIfPresent(at: "latitude", as: .numberOrText),
      longitude: try json.decodeIfPresent(at: "longitude", as: .numberOrText))
    placeID = try json.decodeIfPresent(at: "place_id")
  }
}

/// Where on the map, in degrees.
struct MapPosition: Equatable, Sendable {
  let latitude: Double
  let longitude: Double

  /// Nil where one of them is missing or is none, and for 0, 0: nobody takes photos there, and Flickr means none.
  init?(latitude: Double?, longitude: Double?) {
    guard let latitude, let longitude, (-90...90).contains(latitude), (-180...180).contains(longitude),
      latitude != 0 || longitude != 0
    else { return nil }
    self.latitude = latitude
    self.longitude = longitude
  }
}
