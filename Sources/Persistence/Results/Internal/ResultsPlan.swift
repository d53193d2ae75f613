/// A request with everything that live results derive from it.
struct ResultsPlan: Sendable {
  let entity: Entity
  let condition: QueryExpression?
  /// A sort key of a changed row: one of its values, or a value that is calculated from them.
  enum Key: Sendable {
    case source(QueryDependencies.Source)
    case calculated(QueryExpression)
  }

  let keys: [Key]
  let order: ResultsOrder
  let hasSections: Bool
  /// Whether there is a limit or an offset. Whether a row is in the results then depends on all others.
  let hasBounds: Bool
  let dependencies: QueryDependencies
  /// The attributes of the class that the condition depends on.
  let conditionSlots: SlotSet
  /// The condition for rows in the results, in several forms. The best one is chosen for each read.
  let filter: FilterForms
  /// Whether the results depend on a full-text index.
  let hasSearch: Bool
  private let select: String
  /// The related rows and the ranks that the order depends on.
  private let joins: SQLGenerator.Joins?
  private let terms: [(key: String, term: String)]
  private let bounds: String
  /// The statement for the rows among given ids.
  let some: String
  let arguments: ContiguousArray<StoredValue>

  init<Object: ManagedObject>(_ request: FetchDescriptor<Object>, in entity: Entity, hasSections: Bool)
    throws(UnsupportedQueryError)
  {
    self.entity = entity
    self.hasSections = hasSections
    condition = request.condition
    hasBounds = request.hasBounds
    var generator = SQLGenerator(entity)
    var dependencies = QueryDependencies(request.condition, in: entity)
    conditionSlots = dependencies.slots[entity.index] ?? SlotSet()
    let conjuncts = try request.condition.map { (condition) throws(UnsupportedQueryError) in
      try generator.conjuncts(condition)
    }
    filter = FilterForms(conjuncts ?? [], of: entity, isBounded: request.hasBounds)
    generator.beginJoining(conjuncts ?? [])
    var keys: [Key] = []
    let id = "t0.\(SQL.name(SQL.id))"
    var terms: [(key: String, term: String)] = []
    for sort in request.sort {
      terms.append(try generator.order(by: sort))
      switch sort.keyPath.flatMap({ entity.property(at: $0) }) {
      case .attribute(let slot):
        keys.append(.source(.slot(slot)))
        dependencies.add(slot: slot, of: entity)
      case .id: keys.append(.source(.id))
      default:
        keys.append(.calculated(sort.key))
        dependencies.add(sort.key, in: entity)
      }
    }
    self.keys = keys
    self.dependencies = dependencies
    self.terms = terms
    joins = generator.joins
    order = ResultsOrder(
      descending: request.sort.map(\.isDescending), movesNulls: request.sort.map(\.movesNulls))
    select = "SELECT \(([id] + terms.map(\.key)).joined(separator: ","))"
    bounds = try generator.bounds(of: request)
    arguments = generator.arguments
    hasSearch = generator.hasSearch
    let among = "\(id) IN (SELECT value FROM json_each(?\(arguments.count + 1)))"
    let order = " ORDER BY " + (terms.map(\.term) + [id]).joined(separator: ",")
    some = select + filter.rows(joins, where: among) + order
  }

  /// The statement for all rows of the results, with one form of the filter.
  func all(_ form: Int) -> String { select + filter.rows(form, joins, by: terms, bounds: bounds) }

  /// The values of changed rows that a change set must contain, so that the results can be updated without a query.
  var watches: [(entity: Int, slots: SlotSet)] { [(entity.index, dependencies.slots[entity.index] ?? SlotSet())] }

  /// The entry of a statement's current row.
  func entry(of statement: Statement) -> ResultsEntry {
    ResultsEntry(id: statement.int64(0), in: order, keys: keys.indices.map { statement.value(Int32($0 + 1)) })
  }

  /// The entry of a changed row, or nil if its keys are not known.
  func entry(of values: RowValues) -> ResultsEntry? {
    var known: [StoredValue] = []
    for key in keys {
      guard let key = self.key(key, of: values) else { return nil }
      known.append(key)
    }
    return ResultsEntry(id: values.row.id, in: order, keys: known)
  }

  private func key(_ key: Key, of values: RowValues) -> StoredValue? {
    switch key {
    case .source(let source): return values.value(source)
    case .calculated(let expression):
      for source in dependencies.paths.values where values.value(source) == nil { return nil }
      var evaluator = Evaluator(values)
      return try? evaluator.value(expression)
    }
  }

  /// Whether a changed row is in the results, or nil if the necessary values are not known.
  func matches(_ values: RowValues) -> Bool? {
    guard let condition else { return true }
    for source in dependencies.paths.values where values.value(source) == nil { return nil }
    var evaluator = Evaluator(values)
    // Unsupported expressions were already refused when the plan was created.
    return try? evaluator.isTrue(condition)
  }
}
