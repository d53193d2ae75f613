/// What opening a store with a schema would do to it.
public struct MigrationForecast: Sendable, Hashable {
  /// One thing that would be done.
  public struct Step: Sendable, Hashable {
    /// What it is.
    public let text: String
    /// How many rows would be read or written for it; 0 where the cost does not depend on the rows.
    public let rows: Int
    /// How long it may take, by a sample of the rows copied in memory: a slow disk takes longer. nil for a custom step.
    public let duration: Duration?
    /// What would be lost: classes, attributes and relationships that the schema does not have any more.
    public let losses: [String]
    /// Whether the program does it: nobody can know what. What follows it is told as if it did nothing.
    public let isCustom: Bool
  }

  /// The store's version; nil if there is no store yet.
  public let storeVersion: Int?
  /// The schema's version.
  public let schemaVersion: Int
  /// What would be done, in order. Empty if the store fits the schema.
  public let steps: [Step]
  /// The bytes that the store takes now, its log not counted.
  public let size: Int
  /// The bytes that the disk should have free: for the backup, for tables written anew, and for the log.
  public let neededSpace: Int

  /// Whether anything is to be done.
  public var isNeeded: Bool { !steps.isEmpty || storeVersion.map { $0 < schemaVersion } ?? false }

  /// Whether a backup would be made first: something would be lost, or a custom step might lose something.
  public var isDestructive: Bool { steps.contains { $0.isCustom || !$0.losses.isEmpty } }

  /// How long it may take; nil if there are custom steps. A dry run tells.
  public var duration: Duration? {
    steps.reduce(Optional(Duration.zero)) { sum, step in
      guard let sum, let duration = step.duration else { return nil }
      return sum + duration
    }
  }
}

extension MigrationForecast: CustomStringConvertible {
  /// The steps, one in a line.
  public var description: String {
    let head =
      storeVersion.map { isNeeded ? "version \($0) to \(schemaVersion)" : "nothing to do" } ?? "there is no store yet"
    return ([head] + steps.map(\.description)).joined(separator: "\n")
  }
}

extension MigrationForecast.Step: CustomStringConvertible {
  /// What, how many rows, how long, and what would be lost.
  public var description: String {
    text + (rows > 0 ? ", \(rows) rows" : "") + (duration.map { ", about \($0)" } ?? "")
      + (losses.isEmpty ? "" : "; lost: " + losses.joined(separator: ", "))
  }
}
