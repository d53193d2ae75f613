// Echoes what the Autobahn test suite's fuzzing server sends, case by case; see Scripts/autobahn.
import FetchKit
import Foundation

guard let base = CommandLine.arguments.dropFirst().first.flatMap({ URL(string: $0) }) else {
  print("usage: AutobahnClient http://127.0.0.1:9001")
  exit(2)
}
let transport = try CurlTransport { $0.proxy = .none }
var options = WebSocketOptions()
options.maximumMessageSize = 32 << 20
options.pingInterval = nil

func open(_ path: String) async throws -> any SocketConnection {
  var request = TransportRequest(.get, URL(string: path, relativeTo: base)!.absoluteURL)
  request.timeouts = Timeouts(connect: .seconds(10), idle: .seconds(30), total: nil)
  let response = try await transport.openSocket(request, options)
  guard let connection = response.connection else {
    throw TransportError.malformedResponse(reason: "status \(response.head.status)")
  }
  return connection
}

let counter = try await open("/getCaseCount")
let count = Int(String(decoding: try await counter.receive().data, as: UTF8.self)) ?? 0
print("\(count) cases")
for number in 1...max(1, count) {
  do {
    let connection = try await open("/runCase?case=\(number)&agent=Larder")
    while true {
      try connection.enqueue(try await connection.receive())
      await connection.waitForRoom()
    }
  } catch is WebSocketError {
    // Cases end so.
  } catch {
    print("case \(number): \(error)")
  }
}
let reports = try await open("/updateReports?agent=Larder")
while (try? await reports.receive()) != nil {}
