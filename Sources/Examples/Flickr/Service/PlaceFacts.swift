import Decoding
import ExampleSupport

/// A place as described by Flickr.
struct PlaceFacts: Decodable, Sendable {
  let placeID: String?
  /// The name of the region, or of the country if it has no regions. Nil if Flickr does not know the name.
  let regionName: String?

  init(from decoder: any Decoder) throws {
    let json = try decoder.nested()
    placeID = try json.words(at: "place_id")
    regionName = try Self.name(json.words(at: "region._content")) ?? Self.name(json.words(at: "country._content"))
  }

  /// A region named "Unknown" is treated as missing, because `unknown` in the lists means all photos without a region.
  private static func name(_ words: String?) -> String? {
    words.flatMap { RegionRow.isUnknown($0) ? nil : $0 }
  }
}
