/// A class whose changes are tracked, so that another module can send them.
package struct TrackedClass {
  let type: ManagedObject.Type
  let lists: [AnyKeyPath]
  let ignored: [AnyKeyPath]
  let independent: [AnyKeyPath]

  /// - Parameters:
  ///   - lists: Many-to-many relationships whose members are tracked.
  ///   - ignored: Attributes and to-one relationships whose changes stay in this store.
  ///   - independent: Those whose changes do not belong together with other changes of the same commit, such as a
  ///     counter.
  package init(
    _ type: ManagedObject.Type, lists: [AnyKeyPath] = [], ignoring ignored: [AnyKeyPath] = [],
    independent: [AnyKeyPath] = []
  ) {
    self.type = type
    self.lists = lists
    self.ignored = ignored
    self.independent = independent
  }
}
