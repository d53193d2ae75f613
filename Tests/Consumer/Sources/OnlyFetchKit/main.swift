import FetchKit
import Foundation

// No server listens at port 9 of this machine, and none should.
let client = FetchClient { $0.retry = .none }
guard let url = URL(string: "http://127.0.0.1:9/?api_key=secret") else { exit(1) }
do {
  _ = try await client.fetch(url, .data)
  exit(1)
} catch {
  print(error)
  exit("\(error)".contains("secret") ? 1 : 0)
}
