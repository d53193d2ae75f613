public import FetchKit
public import Foundation

public struct Movie: Codable, Sendable {
  public var remoteID: Int64
}
public struct Book: Decodable, Sendable {
  public var id: String
}
public struct Token: Codable, Sendable, Equatable {
  public var text: String
}
public struct Stored: Sendable {
  public var version: ResourceVersion?
}

public enum MovieDB: Endpoint {
  case search(title: String)
  case movie(id: Int64)
  public static var root: URL { fatalError() }
  public var baseURL: URL { fatalError() }
  public var path: String { fatalError() }
}

public enum GoogleBooks {
  public static func search(_ title: String, startIndex: Int, maxResults: Int) -> HTTPRequest { fatalError() }
}

public enum Login: Endpoint {
  case refresh(Token?)
  public var baseURL: URL { fatalError() }
  public var path: String { fatalError() }
}

public actor Library {
  public func load() throws {}
  public func refresh() async throws -> Bool { fatalError() }
}

@MainActor public final class Screen: Sendable {
  public func show(_ result: Result<[Movie], FetchError>, for title: String) {}
  public func show(_ result: Result<String, FetchError>) {}
}

public var client: FetchClient { fatalError() }
public var url: URL { fatalError() }
public var socket: WebSocket { fatalError() }
public var support: URL { fatalError() }
public var storedToken: Token? { fatalError() }
public var search: FetchOperation<[Int64]> { fatalError() }
public var updates: [Operation] { fatalError() }
public var tidy: Operation { fatalError() }
public var reload: Operation { fatalError() }
public var display: Operation { fatalError() }
public var library: Library { fatalError() }
public var output: FileHandle { fatalError() }
public var poster: URL { fatalError() }
public var title: String { fatalError() }
public var checksum: String { fatalError() }
public var movies: [Movie] { fatalError() }
public var stored: Stored { fatalError() }
public var queue: OperationQueue { fatalError() }
public var tidyUp: Operation { fatalError() }
public var refresh: Refresh { fatalError() }
public var session: DownloadSession { fatalError() }
public var completionHandler: @Sendable (RefreshResult) -> Void { fatalError() }
public func sign(_ request: HTTPRequest) async throws -> String { fatalError() }
public func show(_ movie: Movie) {}
public func show(_ book: Book) {}
public func show(_ text: String) {}
public func showNothingFound() {}
public func offerToTryAgain() {}
public func load(_ file: URL) throws {}
public func store(_ movie: Movie, _ version: ResourceVersion) async throws {}
public func store(_ rating: Double, for movie: Movie) async throws -> Bool { fatalError() }
public func updateRating(of movie: Movie) async throws -> Bool { fatalError() }
@Sendable public func update(_ movie: Movie) async throws -> Refresh.Change { fatalError() }
