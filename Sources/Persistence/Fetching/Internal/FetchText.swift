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
  private let sortKeys: [QueryExpression]
  /// Continues with further values of the request's rows.
  let generator: SQLGenerator

  init<Object: ManagedObject>(_ request: FetchDescriptor<Object>, _ entity: Entity) throws(PersistenceError) {
    self.entity = entity
    var generator = SQLGenerator(entity)
    do {
      let conjuncts = try request.condition.map { (condition) throws(UnsupportedQueryError) in
        try generator.conjuncts(condition)
      }
      filter = FilterForms(conjuncts ?? [], of: entity, isBounded: request.hasBounds)
      generator.beginJoining()
      let terms = try request.sort.map { (sort) throws(UnsupportedQueryError) in try generator.order(by: sort).term }
      order = " ORDER BY " + (terms + [FetchText.id]).joined(separator: ",")
    } catch {
      throw .unsupportedQuery(error)
    }
    bounds = request.hasBounds ? " LIMIT \(generator.parameter()) OFFSET \(generator.parameter())" : ""
    arguments = generator.parameters
    expression = request.condition
    sortKeys = request.sort.map(\.key)
    self.generator = generator
  }

  /// - Parameter generator: A generator with the joins of further values.
  func ordered(_ form: Int, for generator: SQLGenerator? = nil) -> String {
    "\(filter.texts[form].joining(joins(generator ?? self.generator)))\(order)\(bounds)"
  }

  func unordered(_ form: Int, for generator: SQLGenerator? = nil) -> String {
    let joins = generator.map { self.joins($0) } ?? ""
    if bounds.isEmpty { return filter.texts[form].joining(joins) }
    return
      " FROM \(entity.table) AS t0\(joins) WHERE \(FetchText.id) IN (SELECT \(FetchText.id)\(ordered(form)))"
  }

  private func joins(_ generator: SQLGenerator) -> String { generator.joins?.text ?? "" }

  private static let id = "t0.\(SQL.name(SQL.id))"
}
