/// A class whose changes are tracked, so that another module can send them.
package struct TrackedClass {
  let type: ManagedObject.Type
  let ignored: [AnyKeyPath]
  let independent: [AnyKeyPath]

  /// - Parameters:
  ///   - ignored: Attributes and to-one relationships whose changes stay in this store.
  ///   - independent: Those whose changes do not belong together with other changes of the same commit, such as a
  ///     counter.
  package init(
    _ type: ManagedObject.Type, ignoring ignored: [AnyKeyPath] = [], independent: [AnyKeyPath] = []
  ) {
    self.type = type
    self.ignored = ignored
    self.independent = independent
  }
}
