import Decoding
import ExampleSupport

/// What Flickr knows of a place.
struct PlaceFacts: Decodable, Sendable {
  let placeID: String?
  /// The name of its region, or of the country where a country has no regions; nil where Flickr does not know it.
  let regionName: String?

  init(from decoder: any Decoder) throws {
    let json = try decoder.nested()
    placeID = try json.words(at: "place_id")
    regionName = try Self.name(json.words(at: "region._content")) ?? Self.name(json.words(at: "country._content"))
  }

  /// A region that Flickr names "Unknown" is none: `unknown` in the lists stands for all photos without a region.
  private static func name(_ words: String?) -> String? {
    words.flatMap { RegionRow.isUnknown($0) ? nil : $0 }
  }
}
