import ExampleSupport
import FetchKit
import Foundation

/// The methods of the photo service, on the real service or a replica. All methods share one path and differ only in
/// the query.
struct FlickrMethod: Endpoint {
  static let liveURL = "https://api.flickr.com/services/rest"

  enum Method: Sendable {
    case recentPhotos(count: Int)
    case placeInfo(id: String)
  }

  let method: Method
  let access: ServiceAccess

  var baseURL: URL { access.baseURL }

  var queryItems: [URLQueryItem] {
    let items =
      switch method {
      case .recentPhotos(let count):
        [
          "method": "flickr.photos.search", "license": "1,2,4,7", "has_geo": "1", "per_page": "\(count)",
          "extras": "geo,date_upload,owner_name",
        ]
      case .placeInfo(let id): ["method": "flickr.places.getInfo", "place_id": id]
      }
    let all = items.merging(["format": "json", "nojsoncallback": "1", "api_key": access.key ?? "none"]) { $1 }
    return all.sorted { $0.key < $1.key }.map { URLQueryItem(name: $0.key, value: $0.value) }
  }
}

extension ServiceAccess {
  /// The URL of a photo's square thumbnail. Flickr serves pictures from a separate host.
  func thumbnailURL(of photo: PhotoRow) -> URL? {
    let isReal = baseURL.host()?.hasSuffix("flickr.com") ?? false
    let origin = isReal ? URL(string: "https://live.staticflickr.com") : baseURL
    return URL(string: "/\(photo.server)/\(photo.id)_\(photo.secret)_q.jpg", relativeTo: origin)?.absoluteURL
  }
}
