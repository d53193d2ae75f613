public import Foundation

/// A ``SyncCommand`` to perform on a server.
public struct SyncCommandRequest: Sendable {
  /// What to do.
  public let name: String
  /// What the server has to know about it.
  public let payload: Data
  /// What the server calls the objects that the command names, in the same order.
  public let keys: [RemoteKey]
  /// Identifies this command, however often it is sent, and no other one: the value of an `Idempotency-Key` header. A
  /// copy of the store, such as a backup, sends the same one.
  public let idempotencyKey: UUID
  /// Whether the command may have been sent before, and performed without an answer.
  public let isRepeated: Bool

  /// Decodes a payload that was encoded. Throws `DecodingError`.
  public func payload<Value: Decodable>(as type: Value.Type) throws -> Value {
    try JSONDecoder().decode(type, from: payload)
  }
}
