import FetchKit
import FetchKitTesting
import Foundation

/// What the download suites share: a server, and a folder for the sessions' files.
protocol DownloadSuite {
  var server: LoopbackServer { get }
  var scratch: Scratch { get }
}

extension DownloadSuite {
  /// The URL of the file on the server.
  var url: URL { server.url.appending(path: "file") }

  /// A session that makes three attempts without a delay between them.
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

  /// The names of the files in which the session keeps parts.
  func parts() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: scratch.url.appending(path: "test/Parts").path)
  }
}
