public import ExampleReplicas
public import Foundation

/// Where a web API is, and the key to it.
public struct ServiceAccess: Sendable {
  public let baseURL: URL
  /// Nil where the environment has none.
  public let key: String?
  /// The replica in this process, where no other server was named; it serves for as long as this lives.
  private let replica: ExampleServer?

  /// The replica that a program runs itself.
  public init(_ service: WebService, replica: ExampleServer) {
    self.init(baseURL: service.replicaURL(replica), key: "example", replica: replica)
  }

  private init(baseURL: URL, key: String?, replica: ExampleServer?) {
    self.baseURL = baseURL
    self.key = key
    self.replica = replica
  }

  init(_ service: WebService, _ arguments: Arguments) throws {
    let isLive = arguments.has("live")
    if isLive, arguments["base-url"] != nil { throw UsageError("--live and --base-url exclude each other") }
    guard isLive || arguments["base-url"] != nil else {
      self.init(service, replica: try ExampleServer(numbers: try Self.numbers(arguments["seed"])))
      return
    }
    guard let url = URL(string: arguments["base-url"] ?? service.liveURL),
      ["http", "https"].contains(url.scheme?.lowercased()), url.host() != nil
    else {
      // Not shown: it may hold a password or a key.
      throw UsageError("--base-url takes an http or https URL")
    }
    let key = ProcessInfo.processInfo.environment[service.keyVariable].flatMap { $0.isEmpty ? nil : $0 }
    if isLive, service.needsKey, key == nil {
      throw UsageError("--live needs a key of \(service.name) in \(service.keyVariable)")
    }
    self.init(baseURL: url, key: key, replica: nil)
  }

  private static func numbers(_ seed: String?) throws(UsageError) -> ExampleServer.Numbers {
    guard let seed else { return .drifting }
    guard let number = Int(seed), (0...1_000_000).contains(number) else {
      throw UsageError("--seed takes a whole number from 0 to 1000000")
    }
    return .seeded(number)
  }
}
