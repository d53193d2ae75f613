/// The parts of a request's SQL.
struct FetchText {
  let entity: Entity
  let filter: FilterForms
  let arguments: Int
  private let order: String
  /// Empty for a request without limit and offset.
  private let bounds: String
  /// Retains the key paths whose addresses are in the shape.
  private let expression: QueryExpression?
  private let sortPaths: [AnyKeyPath]

  init<Object: ManagedObject>(_ request: FetchDescriptor<Object>, _ entity: Entity) throws(PersistenceError) {
    self.entity = entity
    var generator = SQLGenerator(entity)
    do {
      let conjuncts = try request.condition.map { (condition) throws(UnsupportedQueryError) in
        try generator.conjuncts(condition)
      }
      filter = FilterForms(conjuncts ?? [], of: entity, isBounded: request.hasBounds)
      let terms = try request.sort.map { (sort) throws(UnsupportedQueryError) in try generator.order(by: sort) }
      order = " ORDER BY " + (terms + [FetchText.id]).joined(separator: ",")
    } catch {
      throw .unsupportedQuery(error)
    }
    bounds = request.hasBounds ? " LIMIT \(generator.parameter()) OFFSET \(generator.parameter())" : ""
    arguments = generator.parameters
    expression = request.condition
    sortPaths = request.sort.map(\.keyPath)
  }

  func ordered(_ form: Int) -> String { "\(filter.texts[form])\(order)\(bounds)" }

  func unordered(_ form: Int) -> String {
    if bounds.isEmpty { return filter.texts[form] }
    return " FROM \(entity.table) AS t0 WHERE \(FetchText.id) IN (SELECT \(FetchText.id)\(ordered(form)))"
  }

  private static let id = "t0.\(SQL.name(SQL.id))"
}
