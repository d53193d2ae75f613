public import ExampleReplicas
public import Foundation

/// A web API that a program uses: the real service or a replica.
public struct WebService: Sendable {
  let name: String
  let liveURL: String
  let keyVariable: String
  let needsKey: Bool
  let replicaURL: @Sendable (ExampleServer) -> URL

  /// - Parameters:
  ///   - name: The name, as used in a sentence.
  ///   - liveURL: The base URL of the real API.
  ///   - keyVariable: The environment variable that contains the key.
  ///   - needsKey: Whether the real API rejects requests without a key.
  ///   - replicaURL: The base URL of the replica.
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
