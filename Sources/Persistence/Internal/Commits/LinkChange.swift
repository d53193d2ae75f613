/// A change that the rows of the classes do not tell.
enum LinkChange: Sendable, Hashable {
  case added(join: Int, first: Int64, second: Int64)
  case removed(join: Int, first: Int64, second: Int64)
  /// The members of an ordered relationship, by class and number, have another order.
  case reordered(entity: Int, relation: Int, owner: Int64)
  /// Any pair.
  case all(join: Int)
}
