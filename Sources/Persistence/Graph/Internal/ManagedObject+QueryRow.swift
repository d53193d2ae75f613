extension ManagedObject: QueryRow {
  var rowID: Int64 { _id }

  func answer(at path: AnyKeyPath) throws(UnsupportedQueryError) -> QueryAnswer {
    guard let registry = _registry else {
      throw UnsupportedQueryError("\(type(of: self))", "an object that belongs to no context cannot be queried")
    }
    switch registry.entity.property(at: path) {
    case nil: throw .unknown(path, in: registry.entity)
    case .id: return .value(.integer(_id))
    case .attribute(let slot): return .value(registry.value(slot, of: self))
    case .toOne(let relationship):
      guard case .column(let slot) = relationship.storage, case .integer(let id) = registry.value(slot, of: self),
        let target = registry.related(to: self, slot, id: id)
      else { return .value(.null) }
      return .row(target)
    case .toMany(let relationship): return .members(registry.members(of: self, by: relationship))
    }
  }
}
