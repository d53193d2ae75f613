package import Foundation

/// What has to happen once on the server, until that is settled.
package struct StoredCommand: Hashable, Sendable {
  package enum State: Hashable, Sendable {
    case waiting
    /// In flight, or without an answer. The first attempt is 1.
    case sending(attempts: Int)
    /// No answer arrived, and the server would perform it again.
    case unconfirmed
    case rejected(reason: String)
  }

  /// A random number, as that of a push.
  package let id: Int64
  package let name: String
  package var payload: Data
  package let queue: String
  /// The rows that it waits for. Nil for one of a class that is not synchronized any more.
  package var rows: [RowID?]
  /// What the rows were called when it was first sent. A repetition says the same.
  package var keys: [SyncKey] = []
  package var state = State.waiting

  package init(id: Int64, _ name: String, _ payload: Data, queue: String, after rows: [RowID?]) {
    (self.id, self.name, self.payload, self.queue, self.rows) = (id, name, payload, queue, rows)
  }

  /// What the server calls the rows.
  package var names: [RemoteName] {
    zip(rows, keys).compactMap { row, key in row.map { RemoteName($0.entity, key) } }
  }

  package var isRepeated: Bool { state != .sending(attempts: 1) }
}
