public import ExampleReplicas
public import Foundation

/// A web API that a program talks to: the real one, or a replica of it.
public struct WebService: Sendable {
  let name: String
  let liveURL: String
  let keyVariable: String
  let needsKey: Bool
  let replicaURL: @Sendable (ExampleServer) -> URL

  /// - Parameters:
  ///   - name: As it stands in a sentence.
  ///   - liveURL: The base of the real API.
  ///   - keyVariable: The variable of the environment that holds the key.
  ///   - needsKey: Whether the real API answers nothing without one.
  ///   - replicaURL: The base of the replica.
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
