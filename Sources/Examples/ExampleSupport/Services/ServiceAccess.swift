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

  /// - Throws: When the replica finds no port.
  init(_ service: WebService, _ choice: ServiceChoice) throws {
    switch choice {
    case .server(let url, let key):
      if let key { Keys.add(key) }
      self.init(baseURL: url, key: key, replica: nil)
    case .replica(let numbers): self.init(service, replica: try ExampleServer(numbers: numbers))
    }
  }
}
