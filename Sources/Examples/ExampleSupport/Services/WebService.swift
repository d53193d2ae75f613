public import ExampleReplicas
public import Foundation

/// A web API that a program can use through the real service or through a local replica.
public struct WebService: Sendable {
  let name: String
  let liveURL: String
  let keyVariable: String
  let needsKey: Bool
  let replicaURL: @Sendable (ExampleServer) -> URL

  /// - Parameters:
  ///   - name: The name of the web API, in a form that fits into a sentence.
  ///   - liveURL: The base URL of the real API.
  ///   - keyVariable: The name of the environment variable that contains the API key.
  ///   - needsKey: Whether the real API rejects requests that do not contain a key.
  ///   - replicaURL: A function that returns the base URL of the replica on the given server.
  public init(
    _ name: String, liveURL: String, keyVariable: String, needsKey: Bool,
    replicaURL: @escaping @Sendable (ExampleServer) -> URL
  ) {
    self.name = name
    self.liveURL = liveURL
    self.keyVariable = keyVariable
    self.needsKey = needsKey
    self.replicaURL = replicaURL
  }
}
