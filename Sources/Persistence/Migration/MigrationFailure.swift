/// A migration that failed. The store is unchanged.
///
/// <doc:WhenSomethingGoesWrong> explains each reason and how to respond to it.
public struct MigrationFailure: Sendable {
  /// What went wrong.
  public enum Reason: Sendable {
    /// The store cannot be converted to the schema, or a step cannot be applied. The text describes where the problem
    /// is.
    case refused(String)
    /// Values that must be unique are not unique. The text names the class and the attributes.
    case notUnique(String)
    /// Rows refer to rows that do not exist. The dictionary contains the number of such rows by class.
    case dangling([String: Int])
    /// The custom step threw an error.
    case body(any Error)
  }

  /// What went wrong.
  public let reason: Reason
  /// The step that failed.
  public let step: String
  /// The path of the backup made before the migration, if there is one.
  public let backup: String?
}

extension MigrationFailure: CustomStringConvertible {
  /// The step and the reason.
  public var description: String { "the migration failed at \"\(step)\": \(reasonText)" }

  private var reasonText: String {
    switch reason {
    case .refused(let text): text
    case .notUnique(let text): "values that must be unique are not: \(text)"
    case .dangling(let rows):
      "rows refer to rows that do not exist: "
        + rows.sorted { $0.key < $1.key }.map { "\($0.value) of \($0.key)" }.joined(separator: ", ")
    case .body(let error): "\(error)"
    }
  }
}
