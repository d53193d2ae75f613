import FetchKit
import FetchKitTesting
import Foundation
import Persistence
import Testing

@testable import ExampleSupport

@Suite struct ExplainedTests {
  @Test func `what the program said inside of a persist is all that is said`() {
    #expect(PersistenceError.body(Failure("there is no such movie")).sentence == "there is no such movie")
  }

  @Test func `of what a strategy throws the program's own sentence is said, and of the rest the library's`()
    async throws
  {
    struct Foreign: Error {}
    let client = FetchClient { $0.transport = StubTransport { _ in .stub(json: "{}") } }
    let url = try #require(URL(string: "https://example.org/"))
    func sentence(of cause: any Error) async -> String? {
      let strategy = ExtractionStrategy<Int> { _ -> Int in throw cause }
      switch await Task(operation: { try await client.fetch(url, strategy) }).result {
      case .success: return nil
      case .failure(let error): return error.sentence
      }
    }
    #expect(await sentence(of: Failure("it is closed")) == "it is closed")
    #expect(await sentence(of: Foreign()) == "GET https://example.org/: the response could not be read: Foreign")
  }
}
