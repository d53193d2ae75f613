import ExampleReplicas
import Foundation

/// The server selected on a command line: a named server, the real service, or a replica in this process.
enum ServiceChoice: Sendable {
  case server(URL, key: String?)
  case replica(ExampleServer.Numbers)

  init(_ service: WebService, _ arguments: Arguments) throws(UsageError) {
    let isLive = arguments.has("live")
    if isLive, arguments["base-url"] != nil { throw UsageError("--live and --base-url cannot be combined") }
    let numbers = try Self.numbers(arguments["seed"])
    guard isLive || arguments["base-url"] != nil else {
      self = .replica(numbers)
      return
    }
    guard let url = URL(string: arguments["base-url"] ?? service.liveURL),
      ["http", "https"].contains(url.scheme?.lowercased()), url.host() != nil
    else {
      // The value is not shown, because it can contain a password or a key.
      throw UsageError("--base-url needs an http or https URL")
    }
    let key = ProcessInfo.processInfo.environment[service.keyVariable].flatMap { $0.isEmpty ? nil : $0 }
    if isLive, service.needsKey, key == nil {
      throw UsageError("--live needs a key for \(service.name) in \(service.keyVariable)")
    }
    self = .server(url, key: key)
  }

  var isReplica: Bool { if case .replica = self { true } else { false } }

  private static func numbers(_ seed: String?) throws(UsageError) -> ExampleServer.Numbers {
    guard let seed else { return .drifting }
    guard let number = Int(seed), (0...1_000_000).contains(number) else {
      throw UsageError("--seed needs a whole number from 0 to 1000000")
    }
    return .seeded(number)
  }
}
