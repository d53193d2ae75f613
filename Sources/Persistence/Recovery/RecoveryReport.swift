public import Foundation

/// What opening has done with a damaged file.
public struct RecoveryReport: Sendable {
  /// Why the file could not be opened.
  public let reason: OpenFailure.Reason
  /// Where the file is now, its log and index beside it.
  public let quarantined: URL
  /// What was read of it; nil if that was not asked for.
  public let salvage: SalvageReport?
}
