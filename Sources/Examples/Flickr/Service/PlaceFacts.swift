import Decoding
import ExampleSupport

/// What Flickr knows of a place: the name of its region, or of the country where a country has no regions.
struct PlaceFacts: Decodable, Sendable {
  let placeID: String?
  let regionName: String?

  init(from decoder: any Decoder) throws {
    let json = try decoder.nested()
    placeID = try json.words(at: "place_id")
    regionName = try json.words(at: "region._content") ?? json.words(at: "country._content")
  }
}
