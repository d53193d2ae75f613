/// A change that is not visible in the rows of the classes.
enum LinkChange: Sendable, Hashable {
  case added(join: Int, first: Int64, second: Int64)
  case removed(join: Int, first: Int64, second: Int64)
  /// The members of an ordered relationship, identified by class and number, have a different order.
  case reordered(entity: Int, relation: Int, owner: Int64)
  /// Any pair may have changed.
  case all(join: Int)
}
