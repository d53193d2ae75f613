import FetchKit
import FetchKitTesting
import Foundation
import Persistence
import Testing

@testable import ExampleSupport

@Suite struct ExplainedTests {
  private struct ForeignError: Error {}

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

  @Test func `an error thrown by the program within persist is printed without the library's words`() {
    #expect(PersistenceError.body(Failure("there is no such movie")).sentence == "there is no such movie")
  }

  @Test func `a strategy's own message is printed, and for other errors the library's message`() async throws {
    #expect(try await failure(Failure("it is closed"))?.sentence == "it is closed")
    #expect(
      try await failure(ForeignError())?.sentence
        == "GET https://example.org/: the response could not be read: ForeignError")
  }
}
