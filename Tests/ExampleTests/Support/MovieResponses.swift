import FetchKit
import FetchKitTesting
import Foundation

/// The responses of a movie database in a test: searches by title, details by id, and an error for everything else.
struct MovieResponses {
  var searches: [String: Data] = [:]
  var details: [Int64: Data] = [:]
  var notFound: Data
  var invalidKey: Data

  /// A server with these responses below `/3`; with `refusing` every request gets the invalid key's 401.
  func serve(refusing: Bool = false) throws -> LoopbackServer {
    let server = try LoopbackServer()
    let answers = self
    server.on(.get, "/3/search/movie") { request in
      if refusing { return .json(answers.invalidKey, status: 401) }
      guard let hits = request.query("query").flatMap({ answers.searches[$0] }) else {
        return .json(#"{"page":1,"results":[],"total_pages":0,"total_results":0}"#)
      }
      return .json(hits)
    }
    server.on(.get, "/3/movie/{id}") { request in
      if refusing { return .json(answers.invalidKey, status: 401) }
      guard let detail = request.parameters["id"].flatMap(Int64.init).flatMap({ answers.details[$0] }) else {
        return .json(answers.notFound, status: 404)
      }
      return .json(detail)
    }
    return server
  }

  /// The first hit of a recorded search, as a detail.
  static func firstHit(of search: Data) throws -> Data {
    struct NoHitError: Error {}
    let object = try JSONSerialization.jsonObject(with: search) as? [String: Any]
    guard let hit = (object?["results"] as? [Any])?.first else { throw NoHitError() }
    return try JSONSerialization.data(withJSONObject: hit)
  }
}

extension MovieResponses {
  /// Recorded responses of the real service.
  static func recorded() throws -> MovieResponses {
    func file(_ name: String) throws -> Data { try Data(contentsOf: Fixtures.folder.appending(path: "tmdb/\(name)")) }
    let inception = try file("search-movie-inception.json")
    return MovieResponses(
      searches: [
        "Inception": inception, "Fight Club": try file("search-movie-c-eg.json"),
        "Zombie Fight Club": try file("search-movie-c-eg.json"),
      ],
      details: [27205: try firstHit(of: inception), 550: try file("movie-details-c-eg.json")],
      notFound: try file("movie-xxxxx-error-404.json"),
      invalidKey: try file("search-movie-error-401-invalid-key.json"))
  }

  /// Small ones of the same shapes, for machines without the recorded ones.
  static func miniature() throws -> MovieResponses {
    let clubs = Data(
      """
      {"page":1,"results":[
        {"id":550,"title":"Fight Club","popularity":73.4,"vote_average":8.4,"release_date":"","poster_path":null},
        {"id":289732,"title":"Zombie Fight Club","popularity":15.2,"vote_average":5,"release_date":""}],
        "total_pages":1,"total_results":2}
      """.utf8)
    let inception = Data(
      """
      {"page":1,"results":[{"id":27205,"title":"Inception","popularity":25.0601,"vote_average":8.369}],
       "total_pages":1,"total_results":1}
      """.utf8)
    return MovieResponses(
      searches: ["Inception": inception, "Fight Club": clubs, "Zombie Fight Club": clubs],
      details: [
        27205: try firstHit(of: inception),
        550: Data(#"{"id":550,"title":"Fight Club","popularity":61.4,"vote_average":8.4}"#.utf8),
      ],
      notFound: Data(#"{"success":false,"status_code":34,"status_message":"Not there."}"#.utf8),
      invalidKey: Data(#"{"success":false,"status_code":7,"status_message":"Not that key."}"#.utf8))
  }
}
