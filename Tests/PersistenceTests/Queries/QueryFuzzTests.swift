import Foundation
import LarderTestSupport
import Testing

@testable import Persistence

/// Random conditions on random rows: the store and the evaluator in memory must select the same objects.
///
/// The seed is printed. `LARDER_FUZZ_SEED` repeats a run, and `LARDER_FUZZ_ROUNDS` makes it longer: a round is a new
/// set of rows and a hundred conditions.
@Suite struct QueryFuzzTests {
  @Test func `the store and the evaluator agree on random expressions`() async throws {
    try await run("expressions", Hostile.texts) { try Self.mismatches($0, $1) }
  }

  @Test func `the store, the evaluator and Foundation agree on random predicates`() async throws {
    try await run("predicates", Hostile.plainTexts) { try Self.predicateMismatches($0, $1) }
  }

  @Test func `the store and the evaluator agree on random sort keys and selected values`() async throws {
    try await run("keys", Hostile.texts) { try Self.keyMismatches($0, $1) }
  }

  private static func keyMismatches(_ seed: UInt64, _ objects: ObjectSpace) throws -> [String] {
    let books = try objects.fetch(Book.self)
    var seeds = SplitMix(seed: seed ^ 3)
    var mismatches: [String] = []
    var refused = 0
    for round in 0..<100 {
      let flags = seeds.next()
      var expressions = RandomExpressions(SplitMix(seed: seeds.next()))
      let key = expressions.key(round % 4)
      let nulls: [Sort<Book>.Nulls?] = [nil, .first, .last]
      let sort = Sort<Book>(key: key, isDescending: flags % 2 == 0, nulls: nulls[Int(flags / 2 % 3)])
      let request = FetchDescriptor(Book.self, sort: [sort])
      let order = ResultsOrder(descending: [sort.isDescending], movesNulls: [sort.movesNulls])
      do {
        let ids = try objects.fetchIDs(request).map(\.rawValue)
        let term = Term<Book, StoredTerm?>(ScopedExpression(key))
        let values = try objects.values(in: request) { _ in term }
        let sorted = try books.map { book in
          var evaluator = Evaluator(book)
          return ResultsEntry(id: book.id.rawValue, in: order, keys: [try evaluator.value(key)])
        }.sorted { order.order($0, $1) < 0 }
        let areEqual = zip(values, sorted).allSatisfy { $0._operand.isSame(as: $1.key) }
        if ids != sorted.map(\.id) || !areEqual {
          mismatches.append("\(sort): \(ids), \(values) instead of \(sorted)\n\(try objects.explainSQL(request).sql)")
        }
      } catch {
        guard case .unsupportedQuery = error as? PersistenceError else { throw error }
        refused += 1
      }
    }
    #expect(refused < 60)
    return mismatches
  }

  private func run(
    _ name: String, _ texts: [String], _ mismatches: @Sendable (UInt64, ObjectSpace) throws -> [String]
  ) async throws {
    let seed = Fuzzing.seed
    print("QueryFuzzTests, \(name): LARDER_FUZZ_SEED=\(seed)")
    var random = SplitMix(seed: seed)
    for _ in 0..<Fuzzing.rounds {
      let roundSeed = random.next()
      let container = try await PersistentContainer(
        at: .inMemory, schema: Schema(Shelf.self, Book.self, Label.self))
      let context = container.newContext()
      try await context.persist { objects in
        var random = SplitMix(seed: roundSeed)
        objects.insertRandomBooks(20, texts: texts, &random)
      }
      let found = try await context.perform { try mismatches(roundSeed, $0) }
      try #require(found.isEmpty, "seed \(seed): \(found.first ?? "")")
      let pending = try await context.perform { objects in
        var random = SplitMix(seed: roundSeed ^ 4)
        try objects.changeRandomBooks(texts: texts, &random)
        return try mismatches(roundSeed, objects)
      }
      try #require(pending.isEmpty, "seed \(seed), with pending changes: \(pending.first ?? "")")
    }
  }

  private static func predicateMismatches(_ seed: UInt64, _ objects: ObjectSpace) throws -> [String] {
    let books = try objects.fetch(Book.self)
    var seeds = SplitMix(seed: seed ^ 2)
    var mismatches: [String] = []
    for round in 0..<100 {
      let predicate = RandomPredicates.predicate(SplitMix(seed: seeds.next()), depth: round % 4)
      let request = try FetchDescriptor(matching: predicate)
      let found = try ids(request, objects) ?? []
      for book in books {
        let answers = (
          found.contains(book.id.rawValue), try Query(predicate).matches(book), try predicate.evaluate(book)
        )
        if answers.0 != answers.1 || answers.0 != answers.2 {
          let sql = try objects.explainSQL(request).sql
          mismatches.append("store, memory, Foundation: \(answers) of \(describe(book)): \(predicate)\n\(sql)")
        }
      }
    }
    return mismatches
  }

  private static func mismatches(_ seed: UInt64, _ objects: ObjectSpace) throws -> [String] {
    let books = try objects.fetch(Book.self)
    var seeds = SplitMix(seed: seed ^ 1)
    var mismatches: [String] = []
    for round in 0..<100 {
      var expressions = RandomExpressions(SplitMix(seed: seeds.next()))
      let expression = expressions.condition(round % 5)
      var request = FetchDescriptor(Book.self)
      request.condition = expression
      guard let found = try ids(request, objects) else { continue }
      for book in books {
        var evaluator = Evaluator(book)
        let isTrue = try evaluator.isTrue(expression)
        if isTrue != found.contains(book.id.rawValue) {
          let sql = try objects.explainSQL(request).sql
          mismatches.append("memory says \(isTrue) of \(describe(book)): \(expression)\n\(sql)")
        }
      }
    }
    return mismatches
  }

  /// nil if the query is rejected, as for NaN in a calculation. All forms of the query must find the same ids.
  private static func ids(_ request: FetchDescriptor<Book>, _ objects: ObjectSpace) throws -> Set<Int64>? {
    do {
      let chosen = Set(try objects.fetchIDs(request).map(\.rawValue))
      // With pending changes there is one form.
      if objects.hasChanges { return chosen }
      for form in try objects.forms(of: request) where form.ids != chosen {
        Issue.record("\(form.ids.sorted()) instead of \(chosen.sorted()): \(form.sql)")
      }
      return chosen
    } catch {
      guard case .unsupportedQuery = error as? PersistenceError else { throw error }
      return nil
    }
  }

  private static func describe(_ book: Book) -> String {
    "(\(book.int), \(book.maybeInt as Any), \(book.real), \(book.maybeReal as Any), \(book.text.debugDescription), "
      + "\(book.maybeText as Any), \(book.flag), \(book.maybeFlag as Any), \(book.shelf?.name as Any), "
      + "\(book.shelf?.size as Any), \(book.labels.map { ($0.name, $0.weight) }))"
  }
}

/// Any stored value.
private struct StoredTerm: QueryValue {
  let _operand: StoredValue

  static func _value(_ operand: StoredValue) -> StoredTerm? { StoredTerm(_operand: operand) }
}

extension ObjectSpace {
  /// The ids that each form of a request finds, whichever form would be chosen.
  func forms<Object: ManagedObject>(of request: FetchDescriptor<Object>) throws -> [(sql: String, ids: Set<Int64>)] {
    let registry = try registry(of: Object.self)
    return try reading { () throws(PersistenceError) in
      let (plan, arguments) = try plans.plan(for: request, registry.entity, on: connection)
      var result: [(String, Set<Int64>)] = []
      for form in plan.forms {
        let statement = try connection.statement("SELECT t0._id" + plan.plan(form, on: connection).unordered)
        try statement.bind(arguments)
        var ids: Set<Int64> = []
        while try statement.step() { ids.insert(statement.int64(0)) }
        result.append((statement.sql, ids))
      }
      return result
    }
  }
}
