/// The SQL of a request, and its statement for complete rows.
final class FetchPlan {
  /// The text after `SELECT …`, with order and limit. `unordered` omits the order, for statements that do not need it.
  let ordered: String
  let unordered: String
  let all: Statement
  private let idsText: String
  private var idsStatement: Statement?
  @exclusivity(unchecked) var lastUse: UInt64 = 0
  /// The row counts of the last result.
  @exclusivity(unchecked) var count = RowCount()
  private let text: FetchText
  private let form: Int
  /// The other forms that were needed so far.
  private var others: [Int: FetchPlan] = [:]
  /// The plans that include pending rows, or nil for one that exceeds SQLite's limits.
  private var variants: [PendingTables: FetchPlan?] = [:]
  /// The forms that exceed SQLite's limits, although this one does not.
  private var excessive: Set<Int> = []

  convenience init<Object: ManagedObject>(
    _ request: FetchDescriptor<Object>, _ entity: Entity, on connection: Connection
  ) throws(PersistenceError) {
    do {
      try self.init(FetchText(request, entity), form: 0, on: connection)
    } catch {
      throw FetchPlan.refusal(error)
    }
  }

  /// The error for a query that exceeds SQLite's limits. Other errors are returned unchanged.
  static func refusal(_ error: PersistenceError) -> PersistenceError {
    guard case .database(let cause) = error, cause.isOfLimits else { return error }
    return .unsupportedQuery(
      UnsupportedQueryError("the query as a whole", "it exceeds SQLite's limits: \(cause.message)"))
  }

  private init(_ text: FetchText, form: Int, on connection: Connection) throws(PersistenceError) {
    self.text = text
    self.form = form
    ordered = text.ordered(form)
    unordered = text.unordered(form)
    all = try connection.prepare("SELECT \(text.entity.selection(of: "t0"))\(text.keys)" + ordered)
    idsText = "SELECT t0.\(SQL.name(SQL.id)),t0.\(SQL.name(SQL.version))\(text.keys)" + ordered
  }

  var isBusy: Bool {
    all.isBusy || idsStatement?.isBusy == true || others.values.contains(where: \.isBusy)
      || variants.values.contains { $0?.isBusy == true }
  }

  /// The plan for the same request that includes pending rows of the tables on which it depends, and further
  /// expressions. If its SQL would exceed SQLite's limits, this plan, which then needs views with the names of the
  /// tables.
  @inline(__always) func including(
    _ pending: PendingTables, selecting terms: [SelectedTerm] = [], on connection: Connection
  ) throws(PersistenceError) -> (plan: FetchPlan, named: [PendingTable]) {
    pending.isEmpty ? (self, []) : try variant(pending, terms, on: connection)
  }

  @inline(never) private func variant(
    _ pending: PendingTables, _ terms: [SelectedTerm], on connection: Connection
  ) throws(PersistenceError) -> (plan: FetchPlan, named: [PendingTable]) {
    var dependencies = text.dependencies
    for term in terms { dependencies.add(term.expression, in: text.entity) }
    let pending = pending.among(dependencies, of: text.entity)
    if pending.isEmpty { return (self, []) }
    if let known = variants[pending] { return known.map { ($0, []) } ?? (self, pending.all) }
    var plan: FetchPlan?
    do throws(PersistenceError) {
      plan = try FetchPlan(text.including(pending), form: 0, on: connection)
    } catch {
      // A view has no full-text index.
      guard case .database(let cause) = error, cause.isOfLimits, !hasSearch else { throw FetchPlan.refusal(error) }
    }
    // There can be as many as combinations of tables.
    if variants.count >= 16 { variants.removeAll() }
    variants[pending] = .some(plan)
    return plan.map { ($0, []) } ?? (self, pending.all)
  }

  /// The plan of the form that is best for these arguments: this one, or one that finds the same rows in another way.
  @inline(__always) func best(
    for arguments: ContiguousArray<StoredValue>, on connection: Connection
  ) throws(PersistenceError) -> FetchPlan {
    text.hasOneForm ? self : try plan(text.filter.best(for: arguments, on: connection), on: connection)
  }

  /// Has the arguments of the request that the plan was made for. Continues with further values of the rows, whose
  /// arguments follow those of the request.
  var generator: SQLGenerator { text.generator }

  /// Whether the statements need a full-text index.
  var hasSearch: Bool { text.generator.hasSearch }

  var selection: String { text.entity.selection(of: "t0") }

  /// The keys of the order, which follow the columns of a statement with ``ordered``.
  var keys: String { text.keys }

  /// A statement that counts the rows.
  var counting: String { form == 0 ? text.count : "SELECT count(*)" + unordered }

  /// ``ordered`` with the joins of further values.
  func ordered(for generator: SQLGenerator) -> String { text.ordered(form, for: generator) }

  /// ``unordered`` with the joins of further values.
  func unordered(for generator: SQLGenerator) -> String { text.unordered(form, for: generator) }

  /// The plan of one of the ``forms``, or this one if that form exceeds SQLite's limits.
  func plan(_ form: Int, on connection: Connection) throws(PersistenceError) -> FetchPlan {
    if form == 0 || excessive.contains(form) { return self }
    if let known = others[form] { return known }
    do {
      let plan = try FetchPlan(text, form: form, on: connection)
      others[form] = plan
      return plan
    } catch {
      guard case .database(let cause) = error, cause.isOfLimits else { throw error }
      excessive.insert(form)
      return self
    }
  }

  var forms: Range<Int> { text.filter.texts.indices }

  func ids(on connection: Connection) throws(PersistenceError) -> Statement {
    if let idsStatement { return idsStatement }
    let statement = try connection.prepare(idsText)
    idsStatement = statement
    return statement
  }
}

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
  private let again: (PendingTables) throws(PersistenceError) -> FetchText

  var dependencies: QueryDependencies {
    var result = QueryDependencies(expression, in: entity)
    for key in sortKeys { result.add(key, in: entity) }
    return result
  }

  /// Has the arguments of this request. Continues with further values of the request's rows.
  let generator: SQLGenerator

  init<Object: ManagedObject>(
    _ request: FetchDescriptor<Object>, _ entity: Entity, including pending: PendingTables = PendingTables()
  ) throws(PersistenceError) {
    self.entity = entity
    again = { (pending) throws(PersistenceError) in try FetchText(request, entity, including: pending) }
    var generator = SQLGenerator(entity, including: pending)
    do {
      let conjuncts = try request.condition.map { (condition) throws(UnsupportedQueryError) in
        try generator.conjuncts(condition)
      }
      filter = FilterForms(conjuncts ?? [], of: entity, pending[entity], isBounded: request.hasBounds)
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

  /// The SQL of the same request with the pending rows of some tables.
  func including(_ pending: PendingTables) throws(PersistenceError) -> FetchText { try again(pending) }

  /// - Parameter generator: A generator with the joins of further values.
  func ordered(_ form: Int, for generator: SQLGenerator? = nil) -> String {
    filter.rows(form, (generator ?? self.generator).joins, by: order, bounds: bounds)
  }

  func unordered(_ form: Int, for generator: SQLGenerator? = nil) -> String {
    if bounds.isEmpty { return filter.rows(form, generator?.joins) }
    let joins = generator?.joins?.all ?? ""
    let rows = SQLGenerator.rows(
      of: entity.table, self.generator.pending[entity], as: "t0",
      where: "\(FetchText.id) IN (SELECT \(FetchText.id)\(ordered(form)))")
    return " FROM \(rows.from)\(joins) WHERE \(rows.condition)"
  }

  /// The keys of the order as further columns, if stored and pending rows have to be merged: SQLite sorts all rows
  /// unless the keys are among the columns.
  var keys: String { generator.pending[entity] == nil ? "" : order.map { "," + $0.key }.joined() }

  /// A statement that counts the rows. The stored and the pending ones are counted separately, because a count that
  /// needs only an index is much faster.
  var count: String {
    guard let pending = generator.pending[entity], bounds.isEmpty else { return "SELECT count(*)" + unordered(0) }
    func count(_ table: String, _ others: String = "") -> String {
      "(SELECT count(*) FROM \(table) AS t0 WHERE \(filter.condition)\(others))"
    }
    let hidden = " AND \(FetchText.id) IN (SELECT \(pending.key) FROM \(pending.hidden))"
    return "SELECT \(count(pending.main))-\(count(pending.main, hidden))+\(count(pending.rows))"
  }

  /// Whether there is only one form to choose from.
  var hasOneForm: Bool { filter.texts.count == 1 || generator.joins?.start != nil }

  private static let id = "t0.\(SQL.name(SQL.id))"
}

/// The number of rows in a statement's result, and how many of them were already in memory.
struct RowCount {
  var rows = 0
  var known = 0
}
