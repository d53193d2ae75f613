/// A migration that could not be done. The store is as it was before.
public struct MigrationFailure: Error, Sendable {
  /// What went wrong.
  public enum Reason: Sendable {
    /// The store cannot become what the schema wants, or what the step wants; the text says where.
    case refused(String)
    /// Values that must be unique are not. The text names class and attributes.
    case notUnique(String)
    /// Rows lead to rows that are not there, by class.
    case dangling([String: Int])
    /// The custom step threw.
    case body(any Error)
  }

  /// What went wrong.
  public let reason: Reason
  /// The step that failed.
  public let step: String
  /// The store as it was before, if a backup had been made.
  public let backup: String?
}

extension MigrationFailure: CustomStringConvertible {
  /// Step and reason.
  public var description: String { "the migration failed at \"\(step)\": \(reasonText)" }

  private var reasonText: String {
    switch reason {
    case .refused(let text): text
    case .notUnique(let text): "values that must be unique are not: \(text)"
    case .dangling(let rows):
      "rows lead to others that are gone: "
        + rows.sorted { $0.key < $1.key }.map { "\($0.value) of \($0.key)" }.joined(separator: ", ")
    case .body(let error): "\(error)"
    }
  }
}
