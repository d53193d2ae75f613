extension ViewContext {
  /// Returns the objects for rows of a list, or nil for each that cannot be read. An object whose deletion is pending
  /// keeps its last values, because the list shows it until the deletion is saved.
  package func shownObjects<Object: ManagedObject>(_ ids: [ObjectID<Object>]) -> [Object?] {
    guard let objects = try? objects, let registry = try? objects.registry(of: Object.self) else {
      return ids.map { _ in nil }
    }
    // The next call that can throw still reports an earlier failure.
    let failure = objects.unit.readFailure
    objects.unit.readFailure = nil
    defer { objects.unit.readFailure = failure }
    let pending = registry.changes.deleted
    let deleted = Dictionary(pending.lazy.map { ($0._id, $0) }, uniquingKeysWith: { $1 })
    let missing = ids.map(\.rawValue).filter { registry.map.object($0) == nil && deleted[$0] == nil }
    let fetched = missing.isEmpty ? nil : try? registry.fetch(missing)
    return withExtendedLifetime(fetched) {
      ids.map { id in
        // The registry holds instances of exactly this class.
        (registry.map.object(id.rawValue) ?? deleted[id.rawValue]).map { unsafeDowncast($0, to: Object.self) }
      }
    }
  }
}
