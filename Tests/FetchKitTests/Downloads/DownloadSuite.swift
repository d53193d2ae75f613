import FetchKitTesting
import Foundation

@testable import FetchKit

/// What suites of downloads have in common: a server, and a folder that sessions keep their files in.
protocol DownloadSuite {
  var server: LoopbackServer { get }
  var scratch: Scratch { get }
}

extension DownloadSuite {
  /// Where the server has the file.
  var url: URL { server.url.appending(path: "file") }

  /// A session that makes three attempts, one right after the other.
  func open(_ configure: (inout DownloadSession.Configuration) -> Void = { _ in }) throws -> DownloadSession {
    try DownloadSession(identifier: "test", directory: scratch.url) { configuration in
      configuration.client = FetchClient {
        $0.retry = RetryPolicy(maxAttempts: 3)
        $0.retry.budget = nil
        $0.random = { 0 }
      }
      configure(&configuration)
    }
  }

  /// The names of the files that the session keeps parts in.
  func parts() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: scratch.url.appending(path: "test/Parts").path)
  }
}
