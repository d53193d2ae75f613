public import Foundation

/// A report of how a corrupt file was handled when its store was opened.
public struct RecoveryReport: Sendable {
  /// The reason that the file could not be opened.
  public let reason: OpenFailure.Reason
  /// The new location of the file. Its log and index are next to it.
  public let quarantined: URL
  /// A report of the data that was read from the file, or nil if the policy is not ``CorruptionPolicy/salvage``.
  public let salvage: SalvageReport?
}
