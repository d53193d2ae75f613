import FetchKitTesting
import Foundation
import Testing

/// What the pages say about requests is compared with what a server receives.
@Suite(.timeLimit(.minutes(10))) struct RequestClaimTests {
  @Test(arguments: RequestClaim.all)
  func `the server receives the requests that the page speaks of`(claim: RequestClaim) async throws {
    for place in claim.places {
      #expect(try Self.text(of: place.page).contains(place.text), "\(place.page) says something else")
    }
    let log = try RequestLog()
    try await claim.run(log)
    // Requests that were made at the same time arrive in any order.
    #expect(log.lines.sorted() == claim.lines.sorted())
    log.server.stop()
  }

  /// The page with single spaces between its words.
  private static func text(of page: String) throws -> String {
    var root = URL(filePath: #filePath)
    for _ in 0..<4 { root.deleteLastPathComponent() }
    let isArticle = page != "README" && !page.hasPrefix("Docs/")
    let path = isArticle ? "Sources/FetchKit/FetchKit.docc/\(page).md" : "\(page).md"
    let text = try String(contentsOf: root.appending(path: path), encoding: .utf8)
    return text.split { $0 == " " || $0 == "\n" }.joined(separator: " ")
  }
}
