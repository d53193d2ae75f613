/// Describes a failed migration. The migration was rolled back, so the store is unchanged.
///
/// <doc:WhenSomethingGoesWrong> explains each reason and how to respond to it.
public struct MigrationFailure: Sendable {
  /// The reason that the migration failed.
  public enum Reason: Sendable {
    /// The store cannot be converted to the schema, or a step cannot be applied. The string describes the problem.
    case refused(String)
    /// Several rows have the same values for attributes that must be unique. The string names the class and the
    /// attributes.
    case notUnique(String)
    /// Some rows refer to rows that do not exist. The dictionary contains the number of these broken references for
    /// each class.
    case dangling([String: Int])
    /// A custom step threw this error.
    case body(any Error)
  }

  /// The reason that the migration failed.
  public let reason: Reason
  /// The step that failed.
  public let step: String
  /// The path of the backup that was made before the migration, or nil if no backup was made.
  public let backup: String?
}

extension MigrationFailure: CustomStringConvertible {
  /// A description that names the failed step and the reason.
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
