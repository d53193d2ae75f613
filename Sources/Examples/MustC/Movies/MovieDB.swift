import ExampleSupport
import FetchKit
import Foundation

/// The two routes of the movie database, on the real service or a replica.
struct MovieDB: Endpoint {
  enum Resource: Sendable {
    case search(title: String, year: Int?)
    case movie(id: Int64)
  }

  let resource: Resource
  let access: ServiceAccess

  var baseURL: URL { access.baseURL }

  var path: String {
    switch resource {
    case .search: "search/movie"
    case .movie(let id): "movie/\(id)"
    }
  }

  var queryItems: [URLQueryItem] {
    let key = URLQueryItem(name: "api_key", value: access.key ?? "none")
    switch resource {
    case .search(let title, let year):
      return [key, URLQueryItem(name: "query", value: title)]
        + (year.map { [URLQueryItem(name: "year", value: "\($0)")] } ?? [])
    case .movie: return [key]
    }
  }
}
