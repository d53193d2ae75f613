import Decoding
import FetchKit
import FetchKitTesting
import Foundation
import Testing

@Suite(.timeLimit(.minutes(10))) struct OptionalExtractionTests {
  struct Movie: Decodable, Equatable, Sendable {
    var title: String
  }

  private func client(_ body: String, status: Int = 200) -> FetchClient {
    FetchClient { $0.transport = StubTransport(status: status, body: Data(body.utf8)) }
  }

  private let url = "http://example.com/"

  @Test(arguments: [200, 204]) func `an empty body is nil for an optional type, whole and at a path`(
    status: Int
  ) async throws {
    let client = client("", status: status)
    #expect(try await client.fetch(url, .json(Movie?.self)) == nil)
    #expect(try await client.fetch(url, .json([Movie]?.self)) == nil)
    #expect(try await client.fetch(url, .json(Movie?.self, at: "movie")) == nil)
    #expect(try await client.fetch(url, .elementsIfPresent(of: Movie.self, at: "movies")).isEmpty)
    await #expect(throws: FetchError.self) { try await client.fetch(url, .json(Movie.self)) }
    await #expect(throws: FetchError.self) { try await client.fetch(url, .json(Movie.self, at: "movie")) }
    await #expect(throws: FetchError.self) { try await client.fetch(url, .json(JSONValue.self)) }
  }

  @Test func `a body of an optional type is decoded as before`() async throws {
    let movie = #"{"title": "Fargo"}"#
    #expect(try await client(movie).fetch(url, .json(Movie?.self)) == Movie(title: "Fargo"))
    #expect(try await client("null").fetch(url, .json(Movie?.self)) == nil)
    for body in [" ", "{", "<html>"] {
      await #expect(throws: FetchError.self) { try await client(body).fetch(url, .json(Movie?.self)) }
    }
  }

  @Test(arguments: TransportUnderTest.allCases) func `a 204 over a socket is nil`(kind: TransportUnderTest) async throws
  {
    let server = try LoopbackServer()
    server.on("/", .status(204))
    let client = FetchClient { $0.transport = kind.transport }
    #expect(try await client.fetch(server.url, .json(Movie?.self)) == nil)
  }
}
