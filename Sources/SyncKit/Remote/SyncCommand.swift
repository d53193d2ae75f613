public import Foundation
public import Persistence

/// What has to happen once on a server, such as sending a message, paying an order or reserving a seat.
///
/// ```swift
/// try await context.persist { objects in
///   let issue = objects.insert(Issue.self)
///   issue.title = "Print"
///   let command = try SyncCommand("notify", encoding: ["everyone"], after: [issue])
///   try engine.enqueue(command, in: objects)
/// }
/// ```
///
/// Changes of an object are merged until they are sent; commands never are. They are sent one after the other, in the
/// order in which they were enqueued, when the server has the objects that they need as they are here.
public struct SyncCommand: Sendable {
  /// What to do, as ``SyncRemote/perform(_:)`` knows it.
  public let name: String
  /// What the server has to know about it. It is stored: put no password and no token in it.
  public let payload: Data
  /// The name of the queue. Commands of different queues do not wait for each other.
  public let queue: String
  let objects: [(type: ManagedObject.Type, id: Int64)]

  /// Creates a command with bytes, where the objects that the server has to have first may be used.
  public init(_ name: String, _ payload: Data = Data(), after objects: [ManagedObject] = [], queue: String = "") {
    (self.name, self.payload, self.queue) = (name, payload, queue)
    self.objects = objects.map { (type(of: $0), $0.id.rawValue) }
  }

  /// Creates a command with a value, which is stored as JSON. Throws `EncodingError`.
  public init(
    _ name: String, encoding payload: some Encodable, after objects: [ManagedObject] = [], queue: String = ""
  ) throws {
    self.init(name, try JSONEncoder().encode(payload), after: objects, queue: queue)
  }
}
