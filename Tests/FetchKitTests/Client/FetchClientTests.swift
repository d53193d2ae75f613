import Decoding
import FetchKit
import FetchKitTesting
import Foundation
import Testing

@Suite(.timeLimit(.minutes(10))) struct FetchClientTests {
  struct Movie: Decodable, Equatable, Sendable {
    var id: Int
    var title: String
  }

  enum API: Endpoint {
    case search(URL, String)
    case movie(URL, Int)
    case create(URL, Data)

    var baseURL: URL {
      switch self {
      case .search(let url, _), .movie(let url, _), .create(let url, _): url
      }
    }
    var method: HTTPMethod { if case .create = self { .post } else { .get } }
    var path: String {
      switch self {
      case .search: "search/movie"
      case .movie(_, let id): "movie/\(id)"
      case .create: "movie"
      }
    }
    var queryItems: [URLQueryItem] {
      if case .search(_, let title) = self { [URLQueryItem(name: "query", value: title)] } else { [] }
    }
    var body: RequestBody {
      if case .create(_, let data) = self { RequestBody(.data(data), contentType: "application/json") } else { .none }
    }
  }

  let server: LoopbackServer
  let client = FetchClient()

  init() throws {
    server = try LoopbackServer()
    server.on(
      .get, "/search/movie", .json(#"{"results": [{"id": 275, "title": "Fargo", "popularity": 21.5}], "page": 1}"#))
    server.on(.get, "/movie/{id}") { .json(#"{"id": \#($0.parameters["id"] ?? "0"), "title": "Fargo"}"#) }
    server.on(.post, "/movie") { .data($0.body, status: 201) }
  }

  @Test func `fetching an endpoint returns a typed value`() async throws {
    let movie = try await client.fetch(API.movie(server.url, 275), .json(Movie.self))
    #expect(movie == Movie(id: 275, title: "Fargo"))
  }

  @Test func `a typed endpoint overrides the client's configuration`() async throws {
    struct Missing: TypedEndpoint {
      var baseURL: URL
      var path: String { "gone" }
      var strategy: ExtractionStrategy<Int> { ExtractionStrategy { $0.status } }
      var options: RequestOptions {
        var options = RequestOptions()
        options.acceptableStatusCodes = 404..<405
        options.timeouts = Timeouts(idle: .seconds(7), total: .seconds(8))
        options.limits = ResponseLimits(body: 9)
        return options
      }
    }
    let stub = StubTransport(status: 404)
    let client = FetchClient { $0.transport = stub }
    #expect(try await client.fetch(Missing(baseURL: server.url)) == 404)
    let sent = try #require(stub.requests.first)
    #expect(sent.timeouts.idle == .seconds(7))
    #expect((sent.timeouts.total ?? .zero) > .zero && (sent.timeouts.total ?? .seconds(9)) <= .seconds(8))
    #expect(sent.limits.body == 9)
  }

  @Test(arguments: TransportUnderTest.allCases) func `a response reports its phases, its attempts and its source`(
    kind: TransportUnderTest
  ) async throws {
    let client = FetchClient { $0.transport = kind.transport }
    let response = try await client.fetch(server.url.appending(path: "movie/1"), .response)
    let (firstByte, total) = (try #require(response.timings.firstByte), try #require(response.timings.total))
    #expect(.zero < firstByte && firstByte <= total)
    #expect(response.attempts.count == 1 && response.attempts[0].duration >= total)
    #expect(response.source == .network)
    #expect(response.redirects.isEmpty)
  }

  @Test func `a path into the document extracts the value at that path`() async throws {
    let search = API.search(server.url, "Fargo & more + ü")
    #expect(try await client.fetch(search, .json(Double.self, at: "results[0].popularity")) == 21.5)
    #expect(try await client.fetch(search, .elements(of: Movie.self, at: "results")).map(\.title) == ["Fargo"])
    #expect(server.requests[0].query("query") == "Fargo & more + ü")
  }

  @Test func `a fetch returns data, text, nothing, the response or a closure's value`() async throws {
    let url = server.url.appending(path: "movie/1")
    #expect(try await client.fetch(url, .data) == Data(#"{"id": 1, "title": "Fargo"}"#.utf8))
    #expect(try await client.fetch(url, .string).hasSuffix("}"))
    try await client.fetch(url, .void)
    #expect(try await client.fetch(url.absoluteString, .response).headers["content-type"] == "application/json")
    #expect(try await client.fetch(url, ExtractionStrategy { $0.body.count }) == 27)
    #expect(try await client.fetch(url, ExtractionStrategy.data.map(\.count)) == 27)
  }

  @Test func `a request body is sent with its content type`() async throws {
    let data = Data(#"{"id": 2, "title": "x"}"#.utf8)
    let movie = try await client.fetch(API.create(server.url, data), .json(Movie.self))
    #expect(movie.id == 2)
    #expect(server.requests[0].headers["content-type"] == "application/json")
    #expect(server.requests[0].method == .post)
  }

  @Test func `the error for an unsuccessful status carries the server's response`() async throws {
    let error = await failure(of: server.url.appending(path: "nowhere"))
    guard case .status(let failure, let context) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(failure.status == 404)
    #expect(String(decoding: failure.body, as: UTF8.self).contains("no route"))
    #expect(context.attempts.count == 1)
    #expect(error?.isRetryable == false)
  }

  @Test func `a body of the wrong type is an extraction error with its location`() async throws {
    server.on("/bad", .json(#"{"id": "x", "title": "Fargo"}"#))
    server.on("/html", .text("<html>"))
    await #expect(throws: FetchError.self) {
      try await client.fetch(server.url.appending(path: "html"), .json(Movie.self))
    }
    do throws(FetchError) {
      _ = try await client.fetch(server.url.appending(path: "bad"), .json(Movie.self))
      Issue.record("the body was decoded")
    } catch {
      #expect(error.decodingError?.path.description == "$['id']")
    }
  }

  @Test func `an unreachable server is a retryable connection error`() async throws {
    let closed = try ClosedPort()
    let error = await failure(of: closed.url)
    withExtendedLifetime(closed) {}
    guard case .connection(.refused, _) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(error?.isRetryable == true)
  }

  @Test(arguments: ["", "not a url", "/relative", "http://[", "http://a b/"])
  func `text that is not a URL is an invalid request`(text: String) async {
    guard case .invalidRequest = await failure(of: text) else {
      Issue.record("the request was not refused")
      return
    }
  }

  @Test func `no error shows a secret`() async throws {
    let secrets = ["pass-w0rd", "k3y-1", "t0ken-2", "m1ne-3", "fr4gment"]
    let client = FetchClient { $0.redactedQueryItems = ["mine"] }
    var parts = try #require(URLComponents(url: server.url, resolvingAgainstBaseURL: false))
    parts.user = "user"
    parts.password = secrets[0]
    parts.path = "/nowhere"
    parts.percentEncodedQuery = "api_key=\(secrets[1])&%61ccess_token=\(secrets[2])&MINE=\(secrets[3])&page=7"
    parts.fragment = secrets[4]
    let url = try #require(parts.url)
    do throws(FetchError) {
      _ = try await client.fetch(HTTPRequest(.get, url, headers: ["Authorization": secrets[0]]), .data)
      Issue.record("a 404 did not throw")
    } catch {
      var dumped = "\(error) \(String(reflecting: error)) \(error.localizedDescription)"
      dump(error, to: &dumped)
      for secret in secrets { #expect(!dumped.contains(secret)) }
      #expect(error.description.contains("page=7"))
      #expect(error.description.contains("/nowhere"))
    }
  }

  @Test(arguments: [
    ("a=1;api_key=s3cret", "a=1;api_key=<redacted>"), ("flag;token=s3cret&page=7", "flag;token=<redacted>&page=7"),
    ("token=s3;cret&page=7", "token=<redacted>&page=7"), ("a=1;b=2;c&page=7", "a=1;b=2;c&page=7"),
    ("user%5Bpassword%5D=s3cret&user%5Bname%5D=me", "user%5Bpassword%5D=<redacted>&user%5Bname%5D=me"),
    ("token%5B%5D=s3cret&names%5Bx%5D=1", "token%5B%5D=<redacted>&names%5Bx%5D=1"),
    ("a=1;;API_KEY=s3cret", "a=1;;API_KEY=<redacted>"), ("a=b=c;sig=s3cret", "a=b=c;sig=<redacted>"),
  ])
  func `a secret behind a semicolon or in brackets is hidden`(query: String, shown: String) throws {
    let url = try #require(URL(string: "http://localhost/?\(query)"))
    #expect(Redactor.standard.text(of: url) == "http://localhost/?\(shown)")
    let form = Redactor.standard.text(ofBody: Data(query.utf8), contentType: "application/x-www-form-urlencoded")
    #expect(form == shown)
  }

  private func failure(of request: some HTTPRequestConvertible) async -> FetchError? {
    do throws(FetchError) {
      _ = try await client.fetch(request, .data)
      return nil
    } catch {
      return error
    }
  }
}
