import FetchKit
import FetchKitTesting
import Foundation

/// A server that sends one unusual response again and again, on one path.
struct ReplayServer {
  let server: LoopbackServer

  /// - Parameters:
  /// - path: The path with the response; `{id}` in it is passed on.
  /// - matching: Which requests of that path get the unusual response.
  /// - otherwise: The response to all other requests.
  init(
    _ answer: UnusualResponse, at path: String, matching: @escaping @Sendable (LoopbackRequest) -> Bool = { _ in true },
    otherwise: @escaping @Sendable (LoopbackRequest) -> LoopbackResponse = { _ in .status(404) }
  ) throws {
    server = try LoopbackServer()
    let count = Lock(0)
    server.on("*") { otherwise($0) }
    server.on(path) { request in
      guard matching(request) else { return otherwise(request) }
      let before = count.withLock { count in
        defer { count += 1 }
        return count
      }
      return answer.make(request.parameters["id"] ?? "", before)
    }
  }

  var url: String { server.url.absoluteString }
}
