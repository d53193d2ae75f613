/// The rules without which something is lost or doubled. Tests remove one, and must notice.
package enum SyncGuard: Hashable, Sendable, CaseIterable {
  /// What a row was is kept before it is changed.
  case baseBeforeCommit
  /// The number of a push is stored before it is sent.
  case numberBeforeSending
  /// What became of a push is stored before the next request.
  case recordBeforeRequest
  case onePushPerRow
  /// A page does not overwrite what was answered after its request.
  case freshness
  /// Rows that were changed together are sent together.
  case groupClosure
  case parentsFirst
  /// A repeated push is what was sent first.
  case noGrowthInFlight
  case absenceWithinCoverage
  /// Where a page ended is stored with its rows.
  case positionWithRows
  /// Rows of the server are applied as they are.
  case noDeleteRules
  /// A rejected row blocks only what depends on it.
  case rejectedOnlyDependants
  /// A creation whose outcome is unknown is repeated only if the server can recognize it.
  case unknownNotResent
  /// The same for a command.
  case unknownCommandNotResent
  /// What a command is about is on the server before it.
  case commandAfterRows
  case commandsInOrder
}
