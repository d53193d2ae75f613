import ExampleSupport
import FetchKit
import Foundation

/// The two routes of the books API, on the real service or a replica.
struct GoogleBooks: Endpoint {
  static let liveURL = "https://www.googleapis.com/books/v1"
  /// The maximum page size of the service.
  static let largestPage = 40

  enum Resource: Sendable {
    case search(query: String, startIndex: Int, maxResults: Int)
    case volume(id: String)
  }

  let resource: Resource
  let access: ServiceAccess

  var baseURL: URL { access.baseURL }

  var pathSegments: [String] {
    switch resource {
    case .search: ["volumes"]
    case .volume(let id): ["volumes", id]
    }
  }

  var queryItems: [URLQueryItem] {
    let key = access.key.map { [URLQueryItem(name: "key", value: $0)] } ?? []
    guard case .search(let query, let startIndex, let maxResults) = resource else { return key }
    return key + [
      URLQueryItem(name: "q", value: query), URLQueryItem(name: "startIndex", value: "\(startIndex)"),
      URLQueryItem(name: "maxResults", value: "\(maxResults)"),
    ]
  }
}

extension ServiceAccess {
  /// The URL of a cover. The API's links contain the server's current address, so only their path is stored.
  func coverURL(_ path: String) -> URL? {
    let origin = baseURL.host() == "www.googleapis.com" ? URL(string: "https://books.google.com") : baseURL
    return URL(string: path, relativeTo: origin)?.absoluteURL
  }
}
