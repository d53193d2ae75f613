internal import Foundation

/// What is made at random.
struct SyncIdentifiers: Sendable {
  var key: @Sendable () -> UUID
  /// The number of a push. It is not a count: a copy of the store, or an older one, would count to the same numbers,
  /// and a server that recognizes them would take one change for another.
  var push: @Sendable () -> Int64

  static let random = SyncIdentifiers(key: { UUID() }, push: { .random(in: 1 ... .max) })
}
