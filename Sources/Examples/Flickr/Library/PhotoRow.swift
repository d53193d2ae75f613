import ExampleSupport
import Foundation

/// A photo as listed: a copy that can be passed anywhere.
struct PhotoRow: Encodable, Sendable, Equatable {
  let id: String
  let title: String
  let owner: String
  @Nullable var latitude: Double?
  @Nullable var longitude: Double?
  @Nullable var region: String?
  @Nullable var uploaded: Date?
  let secret: String
  let server: String

  private enum CodingKeys: String, CodingKey { case id, title, owner, latitude, longitude, region, uploaded }

  init(_ photo: Photo) {
    id = photo.photoID
    title = photo.title
    owner = photo.photographer?.name ?? ""
    latitude = photo.latitude
    longitude = photo.longitude
    region = photo.region?.name
    uploaded = photo.uploaded
    secret = photo.secret
    server = photo.server
  }

  /// The title, or a placeholder if it is empty.
  var shownTitle: String { title.isEmpty ? "(untitled)" : title }

  var shownRegion: String { region ?? RegionRow.unknown }

  var position: MapPosition? { MapPosition(latitude: latitude, longitude: longitude) }

  /// The upload date as `2025-02-19 21:40`, in UTC.
  var shownDate: String {
    uploaded.map { String($0.ISO8601Format().prefix(16)).replacing("T", with: " ") } ?? "–"
  }
}

struct PhotographerRow: Encodable, Sendable, Equatable {
  let id: String
  let name: String
  let photos: Int
}

struct RegionRow: Encodable, Sendable, Equatable {
  /// The placeholder region of photos without a place, and of photos whose place Flickr does not know.
  static let unknown = "unknown"

  /// Whether a name from a user or a service means ``unknown``.
  static func isUnknown(_ name: String) -> Bool {
    name.trimmingCharacters(in: .whitespaces).lowercased() == unknown
  }

  let name: String
  let popularity: Int
  let photos: Int
}
