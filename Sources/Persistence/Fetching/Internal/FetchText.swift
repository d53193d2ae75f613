/// The parts of a request's SQL.
struct FetchText {
  let entity: Entity
  let filter: FilterForms
  private let order: [(key: String, term: String)]
  /// Empty for a request without limit and offset.
  private let bounds: String
  /// Retains the key paths whose addresses are in the shape.
  private let expression: QueryExpression?
  private let sortKeys: [QueryExpression]
  /// Has the arguments of this request. Continues with further values of the request's rows.
  let generator: SQLGenerator

  init<Object: ManagedObject>(_ request: FetchDescriptor<Object>, _ entity: Entity) throws(PersistenceError) {
    self.entity = entity
    var generator = SQLGenerator(entity)
    do {
      let conjuncts = try request.condition.map { (condition) throws(UnsupportedQueryError) in
        try generator.conjuncts(condition)
      }
      filter = FilterForms(conjuncts ?? [], of: entity, isBounded: request.hasBounds)
      generator.beginJoining(conjuncts ?? [])
      order = try request.sort.map { (sort) throws(UnsupportedQueryError) in try generator.order(by: sort) }
      bounds = try generator.bounds(of: request)
    } catch {
      throw .unsupportedQuery(error)
    }
    expression = request.condition
    sortKeys = request.sort.map(\.key)
    self.generator = generator
  }

  /// - Parameter generator: A generator with the joins of further values.
  func ordered(_ form: Int, for generator: SQLGenerator? = nil) -> String {
    filter.rows(form, (generator ?? self.generator).joins, by: order, bounds: bounds)
  }

  func unordered(_ form: Int, for generator: SQLGenerator? = nil) -> String {
    if bounds.isEmpty { return filter.rows(form, generator?.joins) }
    let joins = generator?.joins?.all ?? ""
    return
      " FROM \(entity.table) AS t0\(joins) WHERE \(FetchText.id) IN (SELECT \(FetchText.id)\(ordered(form)))"
  }

  /// Whether there is only one form to choose from.
  var hasOneForm: Bool { filter.texts.count == 1 || generator.joins?.start != nil }

  private static let id = "t0.\(SQL.name(SQL.id))"
}
