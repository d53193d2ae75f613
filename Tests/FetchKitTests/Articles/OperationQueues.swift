import Decoding
import FetchKit
import Foundation

/// The program of the article with this name, verbatim except for the enclosing enum.
enum OperationQueues {
  struct Gallery: Sendable {
    var client: FetchClient
    var server: URL
    var queue = OperationQueue()

    /// Fetches the newest album, then its cover and its titles, and reports the
    /// result.
    func load(completion: @escaping @MainActor @Sendable (String) -> Void) {
      let newest = FetchOperation(
        client, server.appending(path: "newest"), .json(Int.self, at: "id"))

      let titles = FetchOperation(
        client, .elements(of: String.self, at: "titles")
      ) { () throws(FetchError) in
        HTTPRequest(
          .get, server.appending(path: "album/\(try newest.result?.get() ?? 0)"))
      }
      titles.addDependency(newest)

      let cover = FetchOperation(client, .data) { () throws(FetchError) in
        HTTPRequest(
          .get, server.appending(path: "cover/\(try newest.result?.get() ?? 0)"))
      }
      cover.addDependency(newest)

      let done = CompletionOperation(after: [titles, cover]) {
        do throws(FetchError) {
          let found = try await titles.value
          if case .success(let picture)? = cover.result {
            await completion("\(found), \(picture.count) bytes")
          } else {
            await completion("\(found), without a cover")
          }
        } catch {
          await completion("nothing: \(error)")
        }
      }
      queue.addOperations([newest, titles, cover, done])
    }

    /// Adds an operation that never runs at the same time as another tidying
    /// operation.
    func tidy(
      _ work: @escaping @Sendable () async throws -> Void
    ) -> TaskOperation<Void> {
      let tidy = TaskOperation(work)
      queue.addOperation(tidy, exclusively: "tidying up")
      return tidy
    }
  }

  struct Program {
    static func main() async {
      let server = URL(string: "https://gallery.example.com")!
      let gallery = Gallery(client: FetchClient(), server: server)
      await withCheckedContinuation { continuation in
        gallery.load { text in
          print(text)
          continuation.resume()
        }
      }
    }
  }
}
