/// The changes that opening a store with a schema would make to the store.
public struct MigrationPreview: Sendable, Hashable {
  /// A step that the migration would execute.
  public struct Step: Sendable, Hashable {
    /// A description of what the step would do.
    public let text: String
    /// The number of rows that the step would read or write, or 0 if its cost does not depend on the number of rows.
    public let rows: Int
    /// The estimated duration of the step, or nil for a custom step. The estimate is based on copying a sample of the
    /// rows in memory, so the step takes longer than estimated if the disk is slow.
    public let duration: Duration?
    /// The data that the step would discard, such as classes, attributes and relationships that are no longer in the
    /// schema.
    public let losses: [String]
    /// Whether this is a custom step. The preview cannot predict what a custom step does, so it describes the later
    /// steps as if the custom step did nothing.
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
  /// The free disk space, in bytes, that the migration needs for the backup, the rewritten tables and the log.
  public let neededSpace: Int

  /// Whether the store needs a migration.
  public var isNeeded: Bool { !steps.isEmpty || storeVersion.map { $0 < schemaVersion } ?? false }

  /// Whether the migration would discard data, or contains a custom step, which might discard data. If this property is
  /// true, the store is backed up before the migration unless ``StoreConfiguration/backsUpBeforeDataLoss`` is false.
  public var isDestructive: Bool { steps.contains { $0.isCustom || !$0.losses.isEmpty } }

  /// The estimated duration of all steps together, or nil if there is a custom step. To measure the actual duration,
  /// use ``PersistentContainer/dryRunMigration(at:schema:in:configure:)``.
  public var duration: Duration? {
    steps.reduce(Optional(Duration.zero)) { sum, step in
      guard let sum, let duration = step.duration else { return nil }
      return sum + duration
    }
  }
}

extension MigrationPreview: CustomStringConvertible {
  /// The versions of the store and the schema, followed by one line for each step; or a note that there is nothing to
  /// do or no store yet.
  public var description: String {
    let head =
      storeVersion.map { isNeeded ? "version \($0) to \(schemaVersion)" : "nothing to do" } ?? "there is no store yet"
    return ([head] + steps.map(\.description)).joined(separator: "\n")
  }
}

extension MigrationPreview.Step: CustomStringConvertible {
  /// A description of the step, with its number of rows, its estimated duration, and the data that would be lost.
  public var description: String {
    text + (rows > 0 ? ", \(rows) rows" : "") + (duration.map { ", about \($0.rounded)" } ?? "")
      + (losses.isEmpty ? "" : "; lost: " + losses.joined(separator: ", "))
  }
}

extension Duration {
  /// The duration in whole milliseconds, or in whole seconds from ten seconds on.
  fileprivate var rounded: String {
    let seconds = self / .seconds(1)
    return seconds < 10 ? "\(Int((seconds * 1000).rounded(.up))) ms" : "\(Int(seconds.rounded())) s"
  }
}
