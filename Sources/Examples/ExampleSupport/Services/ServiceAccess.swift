public import ExampleReplicas
public import Foundation

/// The base URL of a web API and the API key to send with each request.
public struct ServiceAccess: Sendable {
  public let baseURL: URL
  /// The API key, or nil if the environment does not contain a key.
  public let key: String?
  /// The replica in this process if no other server is selected. It serves as long as this value exists.
  private let replica: ExampleServer?

  /// Creates access to the web API's replica on the given server, instead of to the real service.
  public init(_ service: WebService, replica: ExampleServer) {
    self.init(baseURL: service.replicaURL(replica), key: "example", replica: replica)
  }

  private init(baseURL: URL, key: String?, replica: ExampleServer?) {
    self.baseURL = baseURL
    self.key = key
    self.replica = replica
  }

  /// - Throws: An error if the replica finds no free port.
  init(_ service: WebService, _ choice: ServiceChoice) throws {
    switch choice {
    case .server(let url, let key):
      if let key { Keys.add(key) }
      self.init(baseURL: url, key: key, replica: nil)
    case .replica(let numbers): self.init(service, replica: try ExampleServer(numbers: numbers))
    }
  }
}
