import ExampleReplicas
import FetchKit
import Foundation
import LarderTestSupport
import Testing

@Suite struct ExampleServerTests {
  private let client = FetchClient()
  private static let photos = "?method=flickr.photos.search&license=1&format=json&nojsoncallback=1&api_key=k&per_page=9"

  private func photos(_ server: ExampleServer, headers: HTTPHeaders = [:]) async throws(FetchError) -> FetchResponse {
    guard let url = URL(string: server.photosURL.absoluteString + Self.photos) else { preconditionFailure("no URL") }
    return try await client.fetch(HTTPRequest(.get, url, headers: headers), .response)
  }

  @Test func `two servers with the same seed send the same response, down to the validator`() async throws {
    let (one, two) = (try ExampleServer(numbers: .seeded(7)), try ExampleServer(numbers: .seeded(7)))
    let (first, second) = (try await photos(one), try await photos(two))
    #expect(first.body == second.body)
    #expect(first.headers["ETag"] == second.headers["ETag"])
    let other = try await photos(try ExampleServer(numbers: .seeded(8)))
    #expect(other.headers["ETag"] != first.headers["ETag"])
  }

  @Test func `a range request is answered with the rest as long as the response is unchanged`() async throws {
    let server = try ExampleServer(numbers: .seeded(7))
    let whole = try await photos(server)
    let tag = try #require(whole.headers["ETag"])
    let rest = try await photos(server, headers: ["Range": "bytes=100-", "If-Range": tag])
    #expect(rest.status == 206)
    #expect(rest.body == whole.body.dropFirst(100))
    server.changeNumbers()
    let new = try await photos(server, headers: ["Range": "bytes=100-", "If-Range": tag])
    #expect(new.status == 200)
    #expect(new.body != whole.body)
  }

  @Test func `requests fail as often as configured`() async throws {
    var faults = InjectedFaults()
    faults.failEvery = 3
    let server = try ExampleServer(numbers: .seeded(1), faults: faults)
    var failed: [Int] = []
    for number in 1...6 {
      do throws(FetchError) {
        _ = try await photos(server)
      } catch {
        guard case .status(let failure, _) = error, failure.status == 503 else { throw error }
        failed.append(number)
      }
    }
    #expect(failed == [3, 6])
  }

  @Test func `a configured break is a lost connection for the client`() async throws {
    var faults = InjectedFaults()
    faults.breakEvery = 1
    let server = try ExampleServer(numbers: .seeded(1), faults: faults)
    do throws(FetchError) {
      _ = try await photos(server)
      Issue.record("the connection was not broken")
    } catch {
      guard case .connection(.lost, _) = error else { throw error }
    }
  }

  @Test func `the example server runs as a program until it is interrupted`() async throws {
    struct Bases: Decodable { let movies, photos, books: URL }
    let program = Program(name: "ExampleServer")
    let child = try program.start(["serve", "--seed", "7", "--json"])
    let line = try await child.line(with: "photos")
    let bases = try JSONDecoder().decode(Bases.self, from: Data(line.utf8))
    let here = try await photos(try ExampleServer(numbers: .seeded(7)))
    let url = try #require(URL(string: bases.photos.absoluteString + Self.photos))
    #expect(try await client.fetch(url, .data) == here.body)

    let port = try #require(bases.photos.port)
    let taken = try await program("serve", "--port", "\(port)")
    #expect(taken.status == 1)
    #expect(taken.errors.split(separator: "\n").count == 1)
    child.signal(SIGINT)
    #expect(await child.output().status == -SIGINT)
  }
}
