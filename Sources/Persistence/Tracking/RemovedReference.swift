/// A to-one relationship that has become nil because its object was deleted elsewhere.
package struct RemovedReference: Hashable, Sendable {
  /// The name of the class of the object that referred to the deleted one.
  package let type: String
  package let id: Int64
  package let property: String
}
