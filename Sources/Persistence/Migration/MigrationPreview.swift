/// The changes that opening a store with a schema would make to the store.
public struct MigrationPreview: Sendable, Hashable {
  /// One step that would be executed.
  public struct Step: Sendable, Hashable {
    /// What the step does.
    public let text: String
    /// The number of rows that the step would read or write, or 0 if its cost does not depend on the number of rows.
    public let rows: Int
    /// The estimated duration, based on copying a sample of the rows in memory. The step takes longer on a slow
    /// disk. The duration is nil for a custom step.
    public let duration: Duration?
    /// The classes, attributes and relationships that would be lost because they are no longer in the schema.
    public let losses: [String]
    /// Whether this is a custom step, whose effects are unknown. Later steps are described as if the custom step did
    /// nothing.
    public let isCustom: Bool
  }

  /// The store's version, or nil if the store does not exist yet.
  public let storeVersion: Int?
  /// The schema's version.
  public let schemaVersion: Int
  /// The steps that would be executed, in order. The array is empty if the store matches the schema.
  public let steps: [Step]
  /// The current size of the store in bytes, excluding its log.
  public let size: Int
  /// The free disk space, in bytes, that the migration needs for the backup, rewritten tables and the log.
  public let neededSpace: Int

  /// Whether the store needs a migration.
  public var isNeeded: Bool { !steps.isEmpty || storeVersion.map { $0 < schemaVersion } ?? false }

  /// Whether data would be lost, or a custom step might lose data. In that case, the store is backed up first if
  /// ``StoreConfiguration/backsUpBeforeDataLoss`` is true.
  public var isDestructive: Bool { steps.contains { $0.isCustom || !$0.losses.isEmpty } }

  /// The estimated duration of all steps, or nil if there are custom steps. A dry run measures the actual duration.
  public var duration: Duration? {
    steps.reduce(Optional(Duration.zero)) { sum, step in
      guard let sum, let duration = step.duration else { return nil }
      return sum + duration
    }
  }
}

extension MigrationPreview: CustomStringConvertible {
  /// The steps, one per line.
  public var description: String {
    let head =
      storeVersion.map { isNeeded ? "version \($0) to \(schemaVersion)" : "nothing to do" } ?? "there is no store yet"
    return ([head] + steps.map(\.description)).joined(separator: "\n")
  }
}

extension MigrationPreview.Step: CustomStringConvertible {
  /// What the step does, the number of rows, the estimated duration, and what would be lost.
  public var description: String {
    text + (rows > 0 ? ", \(rows) rows" : "") + (duration.map { ", about \($0)" } ?? "")
      + (losses.isEmpty ? "" : "; lost: " + losses.joined(separator: ", "))
  }
}
