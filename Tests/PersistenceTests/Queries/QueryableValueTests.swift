import Foundation
import LarderTestSupport
import Testing

@testable import Persistence

private struct Misnamed: QueryableValue {
  var first = ""
  var second = ""
  static var jsonNames: [PartialKeyPath<Misnamed>: String] { [\.first: "second", \.second: "first"] }
}

private struct Quoted: QueryableValue {
  var first = ""
  static var jsonNames: [PartialKeyPath<Quoted>: String] { [\.first: "a\"b"] }
}

private final class Mislabelled: ManagedObject {
  @Attribute var wrong: Misnamed?
  @Attribute var quoted = Quoted()
}

private final class WholeIndex: ManagedObject {
  @Attribute var home = Home()
  override class var indexes: [AttributeIndex] { [.on(WholeIndex.self, by: { $0.home.geo })] }
}

private enum Plain {
  final class Tenant: ManagedObject {
    @Attribute var name = ""
    @Attribute var home = Home()
    @Attribute var second: Home?
    @ToOne(inverse: \Tenant.guests) var host: Tenant?
    @ToMany var guests: RelatedObjects<Tenant>
  }
}

/// Conditions on properties of values that are stored as JSON.
@Suite struct QueryableValueTests {
  let store: TemporaryStore

  init() throws { store = try TemporaryStore() }

  private func tenants(_ seed: UInt64 = 7, count: Int = 30) async throws -> PersistentContainer {
    let container = try await store.open(Tenant.self)
    try await container.newContext().persist { objects in
      var random = SplitMix(seed: seed)
      var all: [Tenant] = []
      for number in 0..<count {
        let tenant = objects.insert(Tenant.self)
        tenant.name = "n\(number)"
        tenant.home = .random(&random)
        tenant.second = random.chance(3) ? nil : .random(&random)
        tenant.host = random.chance(3) ? nil : all.randomElement(using: &random)
        all.append(tenant)
      }
    }
    return container
  }

  /// A random condition, and the same one in Swift.
  private static func condition(
    _ random: inout SplitMix
  ) -> (query: Query<Tenant>, isTrue: (Tenant) -> Bool) {
    func bytes(_ text: String?) -> [UInt8]? { text.map { Array($0.utf8) } }
    func isLess(_ left: String?, _ right: String) -> Bool {
      left.map { $0.utf8.lexicographicallyPrecedes(right.utf8) } ?? false
    }
    let text = random.pick(Hostile.texts)
    let texts = [random.pick(Hostile.texts), random.pick(Hostile.texts), random.pick(Hostile.texts)]
    let number = random.pick(Hostile.integers)
    let real = random.pick(Hostile.reals + [0.1 + 0.2, 1e23, .leastNonzeroMagnitude, 123_456_789.123_456_78])
    switch Int.random(in: 0..<22, using: &random) {
    case 0: return (Query { $0.home.city == text }, { bytes($0.home.city) == bytes(text) })
    case 1: return (Query { $0.home.city != text }, { bytes($0.home.city) != bytes(text) })
    case 2: return (Query { $0.home.city == nil }, { $0.home.city == nil })
    case 3: return (Query { $0.home.city < text }, { isLess($0.home.city, text) })
    case 4:
      return (Query { $0.home.city <= text }, { isLess($0.home.city, text) || bytes($0.home.city) == bytes(text) })
    case 5: return (Query { $0.home.city > text }, { tenant in tenant.home.city.map { isLess(text, $0) } ?? false })
    case 6: return (Query { $0.home.city >= text }, { tenant in tenant.home.city.map { !isLess($0, text) } ?? false })
    case 7:
      return (Query { $0.home.city.isIn(texts) }, { tenant in texts.contains { bytes($0) == bytes(tenant.home.city) } })
    case 8: return (Query { $0.home.city.hasPrefix(text) }, { $0.home.city?.utf8.starts(with: text.utf8) ?? false })
    case 9: return (Query { $0.home.street == text }, { bytes($0.home.street) == bytes(text) })
    case 10: return (Query { $0.home.number == number }, { $0.home.number == number })
    case 11: return (Query { $0.home.number > number }, { $0.home.number > number })
    case 12: return (Query { $0.home.number.isIn([number, 1]) }, { [number, 1].contains($0.home.number) })
    case 13: return (Query { $0.home.isRented }, { $0.home.isRented })
    case 14:
      return (Query { !$0.home.isRented && $0.home.zone == .south }, { !$0.home.isRented && $0.home.zone == .south })
    case 15: return (Query { $0.home.rent == real }, { $0.home.rent == real })
    case 16: return (Query { $0.home.rent < real }, { tenant in tenant.home.rent.map { $0 < real } ?? false })
    case 17: return (Query { $0.second.geo.label == text }, { bytes($0.second?.geo?.label) == bytes(text) })
    case 18:
      return (
        Query { $0.second != nil && $0.second.geo.label == text },
        { $0.second != nil && bytes($0.second?.geo?.label) == bytes(text) }
      )
    case 19:
      return (
        Query { $0.second.geo.latitude > -0.1 }, { tenant in tenant.second?.geo.map { $0.latitude > -0.1 } ?? false }
      )
    case 20: return (Query { $0.host.home.floor >= 1 }, { tenant in tenant.host?.home.floor.map { $0 >= 1 } ?? false })
    default:
      return (Query { $0.second.geo == nil || $0.home.floor != 127 }, { $0.second?.geo == nil || $0.home.floor != 127 })
    }
  }

  @Test func `store, memory and Swift agree on random conditions on properties of values`() async throws {
    let seed = Fuzzing.seed
    print("QueryableValueTests: LARDER_FUZZ_SEED=\(seed)")
    let container = try await tenants(seed, count: 60)
    try await container.newContext().perform { (objects) throws in
      var random = SplitMix(seed: seed ^ 5)
      let all = try objects.fetch(Tenant.self)
      for _ in 0..<600 * Fuzzing.rounds / 10 {
        var (query, isTrue) = Self.condition(&random)
        if random.chance(2) {
          let (first, other) = ((query, isTrue), Self.condition(&random))
          (query, isTrue) =
            random.chance(2)
            ? (first.0 && !other.query, { first.1($0) && !other.isTrue($0) })
            : (first.0 || other.query, { first.1($0) || other.isTrue($0) })
        }
        let found = try objects.fetch(Tenant.self, matching: query).map(\.name)
        let inMemory = try all.filter { try query.matches($0) }.map(\.name)
        let inSwift = all.filter(isTrue).map(\.name)
        let sql = try objects.explainSQL(FetchDescriptor(Tenant.self, matching: query))
        try #require(
          found == inSwift && inMemory == inSwift,
          "seed \(seed): \(found), \(inMemory), \(inSwift): \(sql)")
      }
    }
  }

  @Test func `unsaved changes and live results follow conditions on properties of values`() async throws {
    let container = try await tenants()
    let request = FetchDescriptor(
      Tenant.self, where: { $0.home.city == "Bonn" }, sort: [.descending { $0.home.number }])
    let isFromCommits = try await container.newContext().perform {
      try $0.explainSQL(request).liveUpdates == .fromCommits
    }
    #expect(isFromCommits)
    let results = try await container.results(request)
    var updates = results.updates.makeAsyncIterator()
    #expect(await updates.next()?.snapshot.isEmpty == true)
    let context = container.newContext()
    try await context.persist { objects in
      for tenant in try objects.fetch(Tenant.self, limit: 2) {
        (tenant.home.city, tenant.home.number) = ("Bonn", Int(tenant.id.rawValue))
      }
      #expect(try objects.count(request) == 2)
    }
    #expect(await updates.next()?.snapshot.map(\.rawValue) == [2, 1])
    try await context.persist { try $0.object(ObjectID<Tenant>(rawValue: 2)).home.city = nil }
    #expect(await updates.next()?.snapshot.map(\.rawValue) == [1])
  }

  @Test func `properties of values can be sorted by, selected and grouped by`() async throws {
    let container = try await tenants()
    try await container.newContext().perform { (objects) throws in
      let all = try objects.fetch(Tenant.self)
      let sorted = FetchDescriptor(Tenant.self, sort: [.ascending(nulls: .last) { $0.home.rent }])
      let rents = try objects.values(in: sorted) { $0.home.rent }
      #expect(rents == all.map(\.home.rent).sorted { ($0 ?? .infinity) < ($1 ?? .infinity) })
      #expect(
        try objects.values(in: FetchDescriptor(Tenant.self)) { $0.second.zone.optional } == all.map(\.second?.zone))
      let groups = try objects.groups(
        in: FetchDescriptor(Tenant.self), by: { $0.home.zone }, of: { ($0.count, $0.maximum { $0.home.number }) })
      for (zone, (count, number)) in groups {
        let members = all.filter { $0.home.zone == zone }
        #expect(count == members.count && number == members.map(\.home.number).max())
      }
      #expect(Set(groups.map(\.0)) == Set(all.map(\.home.zone)))
      #expect {
        _ = try objects.values(in: FetchDescriptor(Tenant.self)) { $0.second.number }
      } throws: { error in
        guard case .unsupportedQuery(let refusal) = error as? PersistenceError else { return false }
        return refusal.expression == "Tenant.second.number" && refusal.reason.contains(".optional")
      }
    }
  }

  @Test func `predicates name properties of values`() async throws {
    let container = try await tenants()
    try await container.newContext().perform { (objects) throws in
      let all = try objects.fetch(Tenant.self)
      for predicate in [
        #Predicate<Tenant> { $0.home.isRented && $0.home.number > 0 }, #Predicate { $0.home.city == nil },
        #Predicate { $0.second?.geo?.label == "a" || $0.second?.number == 1 },
        #Predicate { if let home = $0.second { home.isRented } else { false } },
      ] {
        let expected = try all.filter { try predicate.evaluate($0) }
        #expect(try objects.fetch(Tenant.self, matching: predicate) == expected)
        #expect(try all.filter { try Query(predicate).matches($0) } == expected)
      }
    }
  }

  @Test func `queries and sorting use the indexes on properties of values`() async throws {
    let container = try await tenants(count: 2000)
    let queries: [(Query<Tenant>, String?)] = [
      (Query { $0.home.city == "a" }, "home/city."), (Query { $0.home.city.isIn(["a", "b"]) }, "home/city."),
      (Query { $0.home.city.hasPrefix("a") }, "home/city."), (Query { $0.home.city.isIn("a"..<"b") }, "home/city."),
      (Query { $0.home.number == 1 && $0.name == "n3" }, "home/number.name."),
      (Query { $0.second != nil && $0.second.geo.label == "a" }, "second/geo/label."),
      (Query { $0.home.street == "a" }, nil), (Query { $0.home.city != "a" }, nil), (Query { $0.home.rent == 1 }, nil),
    ]
    try await container.newContext().perform { (objects) throws in
      for (query, index) in queries {
        let explanation = try objects.explainSQL(FetchDescriptor(Tenant.self, matching: query))
        let isIndexed = explanation.plan.contains { $0.hasPrefix("SEARCH t0 USING INDEX Tenant.\(index ?? "")") }
        #expect(isIndexed == (index != nil), "\(explanation)")
      }
      let sorted = FetchDescriptor(Tenant.self, sort: [.ascending { $0.home.city }])
      #expect(try objects.explainSQL(sorted).plan == ["SCAN t0 USING INDEX Tenant.home/city."])
    }
  }

  @Test(.enabled(if: SQLiteShell.isAvailable, "needs the sqlite3 command"))
  func `an index on a property of a value is added to an old store, and others can write to it`() async throws {
    try await store.open(Plain.Tenant.self).newContext().persist { $0.insert(Plain.Tenant.self).home.city = "it's" }
    let container = try await store.open(Tenant.self)
    let steps = container.migration?.steps.map(\.text) ?? []
    #expect(steps.contains("extract city of Tenant.home") && steps.contains("extract geo/label of Tenant.second"))
    #expect(steps.contains("add an index to Tenant: _field_home/number, name"), "\(steps)")
    let found = try await container.newContext().perform {
      try $0.count(Tenant.self, where: { $0.home.city == "it's" })
    }
    #expect(found == 1)
    #expect(try await store.open(Tenant.self).migration == nil)
    _ = try await SQLiteShell.run(
      """
      UPDATE Tenant SET _version = _version + 1, home = json_set(home, '$.city', 'a' || char(9) || 'b'),
        "_field_home/city" = 'a' || char(9) || 'b'; PRAGMA integrity_check
      """,
      on: store.file)
    let count = try await container.newContext().perform {
      try $0.count(Tenant.self, where: { $0.home.city == "a\tb" })
    }
    #expect(count == 1)
  }

  @Test(.enabled(if: SQLiteShell.isAvailable, "needs the sqlite3 command"))
  func `every way to write a value writes the columns of its properties, too`() async throws {
    let container = try await tenants(count: 40)
    let context = container.newContext()
    try await context.persist { objects in
      for tenant in try objects.fetch(Tenant.self, limit: 20) { tenant.home.city = "a\(tenant.id.rawValue)" }
      _ = try objects.update(
        Tenant.self, where: { $0.home.number < 0 }, set: [.set(\.second, to: Home())])
      try objects.object(ObjectID<Tenant>(rawValue: 1)).second = nil
    }
    let differences = try await SQLiteShell.run(
      """
      SELECT count(*), sum("_field_home/number" IS NOT json_extract(home, '$.number')),
        sum("_field_home/isRented" IS NOT json_extract(home, '$.isRented')),
        sum("_field_home/city" IS NOT json_extract(home, '$.city') AND instr(home, '\\u0000') = 0),
        sum("_field_second/geo/label" IS NOT json_extract(second, '$.geo.label') AND instr(second, '\\u0000') = 0)
      FROM Tenant
      """, on: store.file)
    #expect(differences.trimmingCharacters(in: .newlines) == "40|0|0|0|0")
  }

  @Test func `opening refuses names that are not those of the JSON`() async throws {
    do {
      _ = try await store.open(Mislabelled.self)
      Issue.record("the schema was accepted")
    } catch let error as PersistenceError {
      guard case .invalidSchema(let problems) = error else { throw error }
      #expect(Set(problems.map(\.property)) == ["wrong", "quoted"] && problems.count == 3, "\(problems)")
      #expect(problems.contains { $0.text.contains("does not have the value of a String as \"first\"") })
    }
    await #expect(throws: PersistenceError.self) { _ = try await store.open(WholeIndex.self) }
  }

  @Test func `a query refuses properties of values that have no exact form in JSON`() async throws {
    let container = try await tenants(count: 1)
    try await container.newContext().perform { (objects) throws in
      let tenant = try #require(try objects.first(Tenant.self))
      let queries: [(Query<Tenant>, String)] = [
        (Query { $0.home.since > Date() }, "Date"), (Query { $0.home.tags == [] }, "Array"),
        (Query { $0.home.secret == 1 }, "Home.secret"),
      ]
      for (query, part) in queries {
        #expect {
          _ = try objects.fetch(Tenant.self, matching: query)
        } throws: { error in
          guard case .unsupportedQuery(let refusal) = error as? PersistenceError else { return false }
          return refusal.expression.contains(part)
        }
        #expect(throws: PersistenceError.self) { try query.matches(tenant) }
      }
    }
  }

  @Test func `JSON of other programs is read member by member, and broken JSON has no members`() throws {
    let json =
      #" { "a\u0062" : "x\ud83c\udfac\n\/\\\"\u0000y" , "n":[1,{"a":"}"}], "d" : 1.50e2 , "t":true,"o":{ "b" : null },"e":{}}"#
    func value(_ name: String, _ form: FieldPath.Form = .plain) -> StoredValue {
      JSONMember.value(name, in: json, form)
    }
    #expect(value("ab") == .text("x🎬\n/\\\"\0y") && value("d") == .integer(150) && value("t") == .integer(1))
    #expect(value("n") == .null && value("o", .json) == .text("{ \"b\" : null }") && value("o") == .null)
    #expect(value("e", .json) == .text("{}") && value("x") == .null && value("d", .real) == .real(150))
    for broken in [
      "", "{", "[]", "{\"a\"", "{\"a\":", "{\"a\":\"", "{\"a\":\"\\", "{\"a\":{\"b\":1", "{\"a\":tru", "nul", "{,}",
    ] {
      for form in [FieldPath.Form.plain, .real, .json] {
        _ = JSONMember.value("a", in: broken, form)
        #expect(JSONMember.value("b", in: broken, form) == .null)
      }
    }
  }
}
