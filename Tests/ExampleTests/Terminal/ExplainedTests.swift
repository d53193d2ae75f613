import FetchKit
import FetchKitTesting
import Foundation
import Persistence
import Testing

@testable import ExampleSupport

@Suite struct ExplainedTests {
  private struct Foreign: Error {}

  private func failure(_ cause: any Error) async throws -> FetchError? {
    let client = FetchClient { $0.transport = StubTransport { _ in .stub(json: "{}") } }
    let url = try #require(URL(string: "https://example.org/"))
    let strategy = ExtractionStrategy<Int> { _ -> Int in throw cause }
    do throws(FetchError) {
      _ = try await client.fetch(url, strategy)
      return nil
    } catch {
      return error
    }
  }

  @Test func `what the program said inside of a persist is all that is said`() {
    #expect(PersistenceError.body(Failure("there is no such movie")).sentence == "there is no such movie")
  }

  @Test func `a strategy's own sentence is said, and of what others throw the library's`() async throws {
    #expect(try await failure(Failure("it is closed"))?.sentence == "it is closed")
    #expect(
      try await failure(Foreign())?.sentence == "GET https://example.org/: the response could not be read: Foreign")
  }
}
