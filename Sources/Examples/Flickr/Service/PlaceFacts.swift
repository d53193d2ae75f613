import Decoding

/// What Flickr knows of a place: the name of its region, or of the country where a country has no regions.
struct PlaceFacts: Decodable, Sendable {
  let regionName: String?

  init(from decoder: any Decoder) throws {
    let json = try decoder.nested()
    regionName = try json.decodeIfPresent(at: "region._content") ?? json.decodeIfPresent(at: "country._content")
  }
}
