import FetchKit
import Foundation

/// The movie database's two routes, on the real service or on a replica of it.
struct MovieDB: Endpoint {
  /// Where the service is and the key to it.
  struct Service: Sendable {
    static let live = "https://api.themoviedb.org/3"

    let baseURL: URL
    let key: String
  }

  enum Resource: Sendable {
    case search(title: String)
    case movie(id: Int64)
  }

  let resource: Resource
  let service: Service

  var baseURL: URL { service.baseURL }

  var path: String {
    switch resource {
    case .search: "search/movie"
    case .movie(let id): "movie/\(id)"
    }
  }

  var queryItems: [URLQueryItem] {
    let key = URLQueryItem(name: "api_key", value: service.key)
    switch resource {
    case .search(let title): return [key, URLQueryItem(name: "query", value: title)]
    case .movie: return [key]
    }
  }
}
