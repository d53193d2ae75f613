public import Foundation

/// What a migration has done.
public struct MigrationReport: Sendable, Hashable {
  /// One thing that was done.
  public struct Step: Sendable, Hashable {
    /// What it is.
    public let text: String
    /// How long it took.
    public let duration: Duration
  }

  /// The version that the store had.
  public let oldVersion: Int
  /// The version that it has.
  public let newVersion: Int
  /// What was done, in order.
  public let steps: [Step]
  /// How long all of it took, the backup and the commit included.
  public let duration: Duration
  /// The store as it was before, where something might have been lost.
  public let backup: URL?
}
