extension ObjectSpace {
  /// Fetches all objects of a class. Changes of this context are seen, saved or not.
  ///
  /// Rows that are in memory already are not decoded again. Without `sort`, the order is that of creation.
  public func fetch<Object: ManagedObject>(
    _ type: Object.Type, sort: [Sort<Object>] = []
  ) throws(PersistenceError) -> [Object] {
    try fetch(type, FetchClause(order: order(of: type, by: sort)))
  }

  /// How many objects of a class there are. None of them is fetched.
  public func count<Object: ManagedObject>(_ type: Object.Type) throws(PersistenceError) -> Int {
    Int(try integer("count(*)", of: type, FetchClause()) ?? 0)
  }

  /// What follows ORDER BY.
  func order<Object: ManagedObject>(
    of type: Object.Type, by sort: [Sort<Object>]
  ) throws(PersistenceError) -> String {
    guard !sort.isEmpty else { return "" }
    let entity = try table(of: type).entity
    var terms: [String] = []
    for sort in sort {
      let direction = sort.isDescending ? " DESC" : ""
      switch entity.property(at: sort.keyPath) {
      case .attribute(let slot): terms.append("t0.\(entity.columns[slot].quoted)" + direction)
      default: throw .unknownProperty(type: entity.name, keyPath: "\(sort.keyPath)")
      }
    }
    return terms.joined(separator: ",")
  }
}
