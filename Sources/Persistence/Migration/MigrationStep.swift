/// Something that a comparison of an old store with today's classes cannot find out, and has to be told.
///
/// ```swift
/// let schema = Schema(FamilyMember.self, Movie.self).version(3, [
///   .renameClass("Member", to: "FamilyMember", in: 2),
///   .rename("name", of: "Movie", to: "title", in: 2),
///   .custom("minutes become seconds", in: 3) { store in
///     try store.addAttribute("seconds", .integer, of: "Movie", initial: .integer(0))
///     try store.execute("UPDATE Movie SET seconds = minutes * 60")
///   },
/// ])
/// ```
///
/// The steps of all versions stay in the program as long as there may be stores to migrate. They speak of classes and
/// attributes by the names that these had then, and never of today's classes, so that they go on to work.
public struct MigrationStep: Sendable {
  enum Action: Sendable {
    case renameClass(String, to: String)
    case rename(String, of: String, to: String)
    case custom(@Sendable (MigrationStore) throws -> Void)
  }

  /// The version that it belongs to: stores of lower versions get it.
  public let version: Int
  /// What forecasts, progress and errors call it.
  public let name: String
  let action: Action

  /// The class that was called `old` before this version is called `new`. It costs nothing per object.
  public static func renameClass(_ old: String, to new: String, in version: Int) -> MigrationStep {
    MigrationStep(version: version, name: "rename the class \(old) to \(new)", action: .renameClass(old, to: new))
  }

  /// The attribute or relationship of a class that was called `old` before this version is called `new`. An attribute's
  /// name is that of its column, where it has one of its own. It costs nothing per object, save for some many-to-many
  /// relationships, whose pairs are written anew.
  public static func rename(_ old: String, of type: String, to new: String, in version: Int) -> MigrationStep {
    MigrationStep(version: version, name: "rename \(type).\(old) to \(new)", action: .rename(old, of: type, to: new))
  }

  /// Work that is done on the store by hand, after the steps before it and before whatever is inferred for the classes
  /// of today. Foreign keys are checked when it has returned. What it throws undoes the migration as a whole, and
  /// arrives in a ``MigrationFailure``.
  public static func custom(
    _ name: String, in version: Int, _ body: @escaping @Sendable (MigrationStore) throws -> Void
  ) -> MigrationStep {
    MigrationStep(version: version, name: name, action: .custom(body))
  }
}
