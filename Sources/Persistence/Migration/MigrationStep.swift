/// A migration step that cannot be inferred by comparing an old store with the current classes.
///
/// ```swift
/// let schema = Schema(FamilyMember.self, Movie.self).version(3, [
///   .renameClass("Member", to: "FamilyMember", in: 2),
///   .rename("name", of: "Movie", to: "title", in: 2),
///   .custom("minutes become seconds", in: 3) { store in
///     try store.addAttribute(
///       "seconds", .integer, of: "Movie", initial: .integer(0))
///     try store.execute("UPDATE Movie SET seconds = minutes * 60")
///   },
/// ])
/// ```
///
/// Keep the steps of all versions in the program for as long as there may be stores that need these steps. A step
/// refers to classes and attributes by the names that they had in the step's version. It does not use the current Swift
/// classes, so it continues to work when the classes change.
public struct MigrationStep: Sendable {
  enum Action: Sendable {
    case renameClass(String, to: String)
    case rename(String, of: String, to: String)
    case custom(@Sendable (MigrationStore) throws -> Void)
  }

  var isCustom: Bool { if case .custom = action { true } else { false } }

  /// The schema version that the step belongs to. The step is applied to every store that has a lower version.
  public let version: Int
  /// The step's name in previews, progress reports and errors.
  public let name: String
  let action: Action

  /// Renames a class from `old`, its name before this version, to `new`. The cost of the step does not depend on the
  /// number of objects.
  public static func renameClass(_ old: String, to new: String, in version: Int) -> MigrationStep {
    MigrationStep(version: version, name: "rename the class \(old) to \(new)", action: .renameClass(old, to: new))
  }

  /// Renames an attribute or relationship of a class from `old`, its name before this version, to `new`.
  ///
  /// If the name of an attribute's column differs from the name of the property, use the name of the column. The cost
  /// of the step does not depend on the number of objects, except for some many-to-many relationships, for which the
  /// step rewrites all pairs of related objects.
  public static func rename(_ old: String, of type: String, to new: String, in version: Int) -> MigrationStep {
    MigrationStep(version: version, name: "rename \(type).\(old) to \(new)", action: .rename(old, of: type, to: new))
  }

  /// Runs a closure that changes the store. The closure runs after the preceding steps, and before the steps that are
  /// inferred from the current classes.
  ///
  /// Foreign keys are checked after the closure returns. If the closure throws an error, the whole migration is rolled
  /// back, and opening the store throws ``PersistenceError/migrationFailed(_:)`` with this error. A failure of the
  /// store itself, such as a full disk, is thrown as the corresponding ``PersistenceError`` instead.
  public static func custom(
    _ name: String, in version: Int, _ body: @escaping @Sendable (MigrationStore) throws -> Void
  ) -> MigrationStep {
    MigrationStep(version: version, name: name, action: .custom(body))
  }
}
