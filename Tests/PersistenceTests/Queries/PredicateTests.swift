import Foundation
import Testing

@testable import Persistence

/// A test for each row of the table in Docs/Predicates.md. Every predicate is answered by the store, in memory, and by
/// Foundation, and all three must agree; where Foundation is documented to differ, the test says so.
@Suite struct PredicateTests {
  let container: PersistentContainer

  init() async throws {
    container = try await PersistentContainer.shows()
    try await container.newContext().persist { $0.insertThreeShows() }
  }

  private func keys(_ predicate: Predicate<Show>, foundationDiffers: Bool = false) async throws -> String {
    try await container.newContext().perform { objects in
      let found = try objects.keys(Query(predicate))
      if !foundationDiffers {
        let evaluated = try objects.fetch(Show.self).filter { try predicate.evaluate($0) }.map(\.key).joined()
        #expect(evaluated == found, "Foundation finds other objects")
      }
      return found
    }
  }

  private func refusal(_ predicate: Predicate<Show>) throws -> String {
    do {
      _ = try FetchDescriptor(matching: predicate)
    } catch {
      guard case .unsupportedQuery(let refusal) = error else { throw error }
      return refusal.expression
    }
    return "none"
  }

  // Values and variables

  @Test func `a predicate treats a member of a captured value as a constant`() async throws {
    // The macro requires Codable.
    struct Years: Codable { var first = 1999 }
    struct Filter: Codable {
      var years = Years()
      var keys = ["a", "c"]
      var isOn = true
    }
    let filter = Filter()
    #expect(try await keys(#Predicate { $0.year >= filter.years.first }) == keys(#Predicate { $0.year >= 1999 }))
    #expect(try await keys(#Predicate { filter.keys.contains($0.key) }) == "ac")
    #expect(try await keys(#Predicate { filter.isOn && $0.key == "a" }) == "a")
    #expect(try await keys(#Predicate { $0.key == "a" && !filter.isOn }) == "")
  }

  @Test func `the store and Foundation agree on Variable, KeyPath and Value`() async throws {
    let year = 2000
    #expect(try await keys(#Predicate { $0.year == year }) == "b")
    let id = try await container.newContext().perform { try $0.fetch(Show.self).last?.id }
    let found = try #require(id)
    #expect(try await keys(#Predicate { $0.id == found }) == "c")
    let ids = [found, ObjectID<Show>(rawValue: 77_777)]
    #expect(try await keys(#Predicate { ids.contains($0.id) }) == "c")
  }

  @Test func `the store and Foundation agree on a Value of every attribute type`() async throws {
    let genre = Genre.war
    let second: Genre? = .war
    let none: Genre? = nil
    let date = Date(timeIntervalSinceReferenceDate: 0)
    let small: Float = 0
    #expect(try await keys(#Predicate { $0.genre == genre }) == "c")
    #expect(try await keys(#Predicate { $0.second == second }) == "a")
    #expect(try await keys(#Predicate { $0.second == none }) == "b")
    #expect(try await keys(#Predicate { $0.aired == date }) == "abc")
    #expect(try await keys(#Predicate { $0.small == small }) == "abc")
    let code = UUID()
    let price = Decimal(5)
    #expect(try await keys(#Predicate { $0.code == code || $0.price == price }) == "")
  }

  @Test func `a predicate with a Value of an unsupported type is rejected`() throws {
    let years: Data? = Data()
    let pair = [1: 2]
    #expect(try refusal(#Predicate { _ in pair == [:] }) == "a captured Dictionary<Int, Int>")
    #expect(try refusal(#Predicate { _ in years == nil }) == "none")
  }

  @Test func `the store and Foundation agree on a KeyPath to a raw value or a date's interval`() async throws {
    #expect(try await keys(#Predicate { $0.genre.rawValue == "war" }) == "c")
    #expect(try await keys(#Predicate { $0.id.rawValue > 0 }) == "abc")
    #expect(try await keys(#Predicate { $0.aired.timeIntervalSinceReferenceDate < 1 }) == "abc")
    #expect(try await keys(#Predicate { $0.aired.timeIntervalSince1970 < 978_307_201 }) == "abc")
  }

  @Test func `a predicate with a KeyPath to a property that is not stored is rejected`() async throws {
    for predicate in [#Predicate<Show> { $0.shouting == "ALPHA" }, #Predicate<Show> { $0.beginning == "Alpha" }] {
      let query = Query(predicate)
      await #expect(throws: PersistenceError.self) {
        try await container.newContext().perform { try $0.count(Show.self, matching: query) }
      }
    }
    #expect(try refusal(#Predicate { $0.aired.timeIntervalSinceNow < 1 }).contains("Date"))
    #expect(try refusal(#Predicate { $0.name.utf8.count < 1 }).contains("UTF8View"))
  }

  // Comparison

  @Test func `the store and Foundation agree on Equal and NotEqual`() async throws {
    #expect(try await keys(#Predicate { $0.name == "Beta" }) == "b")
    #expect(try await keys(#Predicate { $0.name != "Beta" }) == "ac")
    #expect(try await keys(#Predicate { $0.nick == "al" }) == "a")
    #expect(try await keys(#Predicate { $0.nick != "al" }) == "bc")
    #expect(try await keys(#Predicate { $0.nick == $0.nick }) == "abc")
    #expect(try await keys(#Predicate { $0.key != $0.name }) == "abc")
  }

  @Test func `Equal compares strings by their bytes, unlike Foundation`() async throws {
    let composed = "Caf\u{E9} Gamma"
    let decomposed = "Cafe\u{301} Gamma"
    #expect(try await keys(#Predicate { $0.name == composed }) == "c")
    #expect(try await keys(#Predicate { $0.name == decomposed }, foundationDiffers: true) == "")
  }

  @Test func `Equal and Comparison with NaN are false`() async throws {
    let nan = Double.nan
    let maybe: Double? = .nan
    #expect(try await keys(#Predicate { $0.weight == nan }) == "")
    #expect(try await keys(#Predicate { $0.weight != nan }) == "abc")
    #expect(try await keys(#Predicate { $0.rating == maybe }) == "")
    #expect(try await keys(#Predicate { $0.weight < nan }) == "")
    #expect(try await keys(#Predicate { !($0.weight < nan) }) == "abc")
  }

  @Test func `the store and Foundation agree on Comparison`() async throws {
    #expect(try await keys(#Predicate { $0.year < 2000 }) == "a")
    #expect(try await keys(#Predicate { $0.year <= 2000 }) == "ab")
    #expect(try await keys(#Predicate { $0.name > "B" }) == "bc")
    #expect(try await keys(#Predicate { $0.weight >= 0 }) == "ac")
    let date = Date(timeIntervalSinceReferenceDate: 1)
    #expect(try await keys(#Predicate { $0.aired < date }) == "abc")
  }

  @Test func `a predicate with a Comparison of a type with a custom order is rejected`() throws {
    let level = Ranked.low
    let predicate = Predicate<Show> { _ in
      PredicateExpressions.build_Comparison(
        lhs: PredicateExpressions.build_Arg(level), rhs: PredicateExpressions.build_Arg(level), op: .lessThan)
    }
    #expect(try refusal(predicate) == "Ranked < Ranked")
  }

  // Logic

  @Test func `the store and Foundation agree on Conjunction, Disjunction and Negation`() async throws {
    #expect(try await keys(#Predicate { $0.seen && $0.year > 1990 }) == "c")
    #expect(try await keys(#Predicate { $0.seen || $0.year == 2000 }) == "abc")
    #expect(try await keys(#Predicate { !$0.seen }) == "b")
    #expect(try await keys(#Predicate { !($0.seen && $0.nick == "al") }) == "bc")
  }

  @Test func `the store and Foundation agree on Conditional`() async throws {
    #expect(try await keys(#Predicate { $0.seen ? $0.year > 2000 : $0.year == 2000 }) == "bc")
    #expect(try await keys(#Predicate { ($0.seen ? $0.year : 1) > 1 }) == "ac")
    #expect(try await keys(#Predicate { if $0.seen { $0.year == 1990 } else { true } }) == "ab")
  }

  // Optionals

  @Test func `the store and Foundation agree on NilLiteral`() async throws {
    #expect(try await keys(#Predicate { $0.nick == nil }) == "b")
    #expect(try await keys(#Predicate { $0.nick != nil }) == "ac")
    #expect(try await keys(#Predicate { $0.liked == nil }) == "b")
  }

  @Test func `the store and Foundation agree on NilCoalesce`() async throws {
    #expect(try await keys(#Predicate { ($0.rating ?? 0) < 8 }) == "ab")
    #expect(try await keys(#Predicate { $0.liked ?? true }) == "ab")
    #expect(try await keys(#Predicate { !($0.liked ?? true) }) == "c")
    #expect(try await keys(#Predicate { ($0.nick ?? $0.name) == "Beta" }) == "b")
  }

  @Test func `the store and Foundation agree on OptionalFlatMap, which is nil for nil`() async throws {
    #expect(try await keys(#Predicate { if let nick = $0.nick { nick == "al" } else { false } }) == "a")
    #expect(try await keys(#Predicate { if let nick = $0.nick { nick == "al" } else { true } }) == "ab")
    #expect(try await keys(#Predicate { if let nick = $0.nick { nick != "al" } else { false } }) == "c")
    #expect(try await keys(#Predicate { if let rating = $0.rating { rating > 8 } else { $0.year == 2000 } }) == "bc")
    #expect(try await keys(#Predicate { $0.nick.flatMap { $0 == "al" } == true }) == "a")
    #expect(try await keys(#Predicate { $0.nick.flatMap { $0 == "al" } == false }) == "c")
    #expect(try await keys(#Predicate { $0.nick.flatMap { $0 == "al" } == nil }) == "b")
    #expect(try await keys(#Predicate { $0.nick.flatMap { $0 == "al" } != true }) == "bc")
    #expect(try await keys(#Predicate { !($0.nick?.isEmpty ?? true) }) == "a")
    #expect(try await keys(#Predicate { $0.nick?.isEmpty == true }) == "c")
    #expect(try await keys(#Predicate { $0.nick?.contains("l") == true }) == "a")
    #expect(try await keys(#Predicate { $0.nick?.contains("l") == false }) == "c")
    #expect(try await keys(#Predicate { ($0.rating.flatMap { $0 * 2 } ?? 0) > 16 }) == "c")
  }

  @Test func `ForcedUnwrap of nil is nil in the store, where Foundation throws`() async throws {
    #expect(try await keys(#Predicate { $0.rating! > 8 }, foundationDiffers: true) == "c")
    #expect(try await keys(#Predicate { !($0.rating! > 8) }, foundationDiffers: true) == "ab")
    #expect(try await keys(#Predicate { $0.seen && $0.rating! > 8 }) == "c")
  }

  // Numbers

  @Test func `the store and Foundation agree on Arithmetic`() async throws {
    #expect(try await keys(#Predicate { $0.year + 10 == 2000 }) == "a")
    #expect(try await keys(#Predicate { $0.year - 10 > 1990 }) == "c")
    #expect(try await keys(#Predicate { $0.weight * 2 == 3 }) == "a")
    #expect(try await keys(#Predicate { ($0.episodes ?? 0) * 2 < 0 }) == "c")
  }

  @Test func `Arithmetic that overflows becomes floating-point in the store, where Foundation traps`() async throws {
    let large = Int.max
    #expect(try await keys(#Predicate { $0.year + large > large }, foundationDiffers: true) == "abc")
    #expect(try await keys(#Predicate { -large - 1 - $0.year < -large }, foundationDiffers: true) == "abc")
  }

  @Test func `a predicate with Arithmetic on Float or Decimal is rejected`() throws {
    #expect(try refusal(#Predicate { $0.small + 1 > 0 }) == "Float + Float")
    #expect(try refusal(#Predicate { ($0.price ?? 0) * 2 > 0 }) == "Decimal * Decimal")
  }

  @Test func `the store and Foundation agree on IntDivision and IntRemainder`() async throws {
    #expect(try await keys(#Predicate { $0.year / 1000 == 2 }) == "bc")
    #expect(try await keys(#Predicate { $0.year % 20 == 0 }) == "b")
    #expect(try await keys(#Predicate { ($0.episodes ?? 1) / 2 == -1 }) == "c")
    #expect(try await keys(#Predicate { ($0.episodes ?? 1) % 2 == -1 }) == "c")
  }

  @Test func `division by zero is nil in the store, where Foundation traps or returns infinity`() async throws {
    let zero = 0
    #expect(try await keys(#Predicate { $0.year / zero > 0 }, foundationDiffers: true) == "")
    #expect(try await keys(#Predicate { $0.year % zero == 0 }, foundationDiffers: true) == "")
    #expect(try await keys(#Predicate { 1 / $0.weight > 0 }, foundationDiffers: true) == "a")
  }

  @Test func `the store and Foundation agree on FloatDivision`() async throws {
    #expect(try await keys(#Predicate { $0.weight / 3 == 0.5 }) == "a")
  }

  @Test func `the store and Foundation agree on UnaryMinus`() async throws {
    #expect(try await keys(#Predicate { -$0.weight == 2 }) == "b")
    #expect(try await keys(#Predicate { -$0.year < -1990 }) == "bc")
  }

  // Ranges

  @Test func `the store and Foundation agree on Range, ClosedRange and RangeExpressionContains`() async throws {
    let low = 1990
    let captured = 1990...2000
    let half = 1990..<2000
    let from = 2000...
    #expect(try await keys(#Predicate { (low...2000).contains($0.year) }) == "ab")
    #expect(try await keys(#Predicate { (low..<2000).contains($0.year) }) == "a")
    #expect(try await keys(#Predicate { captured.contains($0.year) }) == "ab")
    #expect(try await keys(#Predicate { half.contains($0.year) }) == "a")
    #expect(try await keys(#Predicate { from.contains($0.year) }) == "bc")
    #expect(try await keys(#Predicate { ($0.year...2005).contains(2001) }, foundationDiffers: true) == "ab")
  }

  // Collections

  @Test func `the store and Foundation agree on SequenceContains of captured values`() async throws {
    let years = [1990, 2010]
    let names: Set<String> = ["Beta", "x"]
    let ratings: [Double?] = [nil, 9]
    #expect(try await keys(#Predicate { years.contains($0.year) }) == "ac")
    #expect(try await keys(#Predicate { names.contains($0.name) }) == "b")
    #expect(try await keys(#Predicate { ratings.contains($0.rating) }) == "bc")
    #expect(try await keys(#Predicate { !years.contains($0.year) }) == "b")
  }

  @Test func `the store and Foundation agree on a captured id in a relationship`() async throws {
    let ann = try await container.newContext().perform {
      try $0.fetch(Actor.self, where: { $0.name == "Ann" }).first?.id
    }
    let id = try #require(ann)
    #expect(try await keys(#Predicate { $0.cast.contains { $0.id == id } }) == "a")
  }

  @Test func `the store and Foundation agree on SequenceContainsWhere`() async throws {
    let name = "Bob"
    #expect(try await keys(#Predicate { $0.cast.contains { $0.name == name } }) == "ab")
    #expect(try await keys(#Predicate { !$0.cast.contains { $0.name == name } }) == "c")
    #expect(try await keys(#Predicate { show in show.cast.contains { $0.name > show.name } }) == "ab")
    #expect(try await keys(#Predicate { $0.cast.contains { $0.shows.contains { $0.key == "b" } } }) == "ab")
    #expect(
      try await keys(#Predicate { show in show.cast.contains { $0.shows.contains { $0.year > show.year } } }) == "a")
  }

  @Test func `the store and Foundation agree on SequenceAllSatisfy`() async throws {
    #expect(try await keys(#Predicate { $0.cast.allSatisfy { $0.name == "Bob" } }) == "bc")
    #expect(try await keys(#Predicate { $0.cast.allSatisfy { $0.born == nil } }) == "bc")
  }

  @Test func `the store and Foundation agree on Filter`() async throws {
    #expect(try await keys(#Predicate { $0.cast.filter { $0.born != nil }.count == 1 }) == "a")
    #expect(try await keys(#Predicate { $0.cast.filter { $0.born == nil }.isEmpty }) == "c")
    #expect(try await keys(#Predicate { $0.cast.filter { $0.born == nil }.contains { $0.name == "Bob" } }) == "ab")
    #expect(
      try await keys(#Predicate { $0.cast.filter { $0.born == nil }.filter { $0.name == "Ann" }.count > 0 }) == "")
  }

  @Test func `the store and Foundation agree on KeyPath to count, isEmpty and first of a relationship`() async throws {
    #expect(try await keys(#Predicate { $0.cast.count == 2 }) == "a")
    #expect(try await keys(#Predicate { $0.cast.isEmpty }) == "c")
    #expect(try await keys(#Predicate { !$0.cast.isEmpty }) == "ab")
    #expect(try await keys(#Predicate { $0.cast.first?.name == "Bob" }) == "b")
    #expect(try await keys(#Predicate { $0.cast.first == nil }) == "c")
  }

  @Test func `the store and Foundation agree on a KeyPath through a to-one`() async throws {
    #expect(try await keys(#Predicate { $0.studio == nil }) == "c")
    #expect(try await keys(#Predicate { $0.studio?.name == "Mosfilm" }) == "ab")
    #expect(try await keys(#Predicate { $0.studio?.name != "Mosfilm" }) == "c")
    #expect(try await keys(#Predicate { $0.studio?.city == nil }) == "abc")
    #expect(try await keys(#Predicate { $0.studio!.name == "Mosfilm" }, foundationDiffers: true) == "ab")
    #expect(try await keys(#Predicate { $0.studio?.shows.count == 2 }) == "ab")
    #expect(
      try await keys(#Predicate { if let s = $0.studio { s.shows.contains { $0.year > 1999 } } else { true } }) == "abc"
    )
    let id = try await container.newContext().perform { try $0.fetch(Studio.self).first?.id }
    #expect(try await keys(#Predicate { $0.studio?.id == id }) == "ab")
  }

  @Test func `predicates with SequenceMaximum, SequenceMinimum or a subscript are rejected`() throws {
    let years = [1990, 2000]
    let table = ["a": 1]
    #expect(try refusal(#Predicate { years.max()! == $0.year }) == "SequenceMaximum")
    #expect(try refusal(#Predicate { years.min()! == $0.year }) == "SequenceMinimum")
    #expect(try refusal(#Predicate { years[0] == $0.year }) == "CollectionIndexSubscript")
    #expect(try refusal(#Predicate { years[0..<1].contains($0.year) }) != "none")
    #expect(try refusal(#Predicate { table[$0.key] == 1 }) == "DictionaryKeySubscript")
    #expect(try refusal(#Predicate { table[$0.key, default: 0] == 1 }) == "DictionaryKeyDefaultValueSubscript")
  }

  // Text

  @Test func `the store and Foundation agree on CollectionContainsCollection of strings`() async throws {
    #expect(try await keys(#Predicate { $0.name.contains("et") }) == "b")
    #expect(try await keys(#Predicate { $0.name.contains($0.key) }) == "a", "Alpha contains a")
  }

  @Test func `the store and Foundation agree on SequenceStartsWith`() async throws {
    #expect(try await keys(#Predicate { $0.name.starts(with: "Al") }) == "a")
    #expect(try await keys(#Predicate { $0.name.starts(with: $0.key) }) == "")
  }

  @Test func `the store and Foundation agree on KeyPath to count and isEmpty of a string`() async throws {
    #expect(try await keys(#Predicate { $0.name.count == 10 }) == "c")
    #expect(try await keys(#Predicate { $0.name.isEmpty }) == "")
  }

  @Test func `a predicate with StringContainsRegex is rejected`() throws {
    #expect(try refusal(#Predicate { $0.name.contains(/a.*b/) }) == "StringContainsRegex")
  }

  // Types

  @Test func `TypeCheck, ConditionalCast and ForceCast reject types other than an expression's own`() async throws {
    let text = Predicate<Show> { show in
      PredicateExpressions.build_Equal(
        lhs: PredicateExpressions.ConditionalCast<_, String>(
          PredicateExpressions.build_KeyPath(root: show, keyPath: \.year)),
        rhs: PredicateExpressions.build_NilLiteral())
    }
    #expect(try refusal(text) == "ConditionalCast")
    let predicate = Predicate<Show> { show in
      PredicateExpressions.TypeCheck<_, Show>(show)
    }
    #expect(try await keys(predicate) == "abc")
    let other = Predicate<Show> { show in
      PredicateExpressions.TypeCheck<_, Actor>(show)
    }
    #expect(try refusal(other) == "TypeCheck")
    let forced = Predicate<Show> { show in
      PredicateExpressions.build_Equal(
        lhs: PredicateExpressions.ForceCast<_, Int>(PredicateExpressions.build_KeyPath(root: show, keyPath: \.year)),
        rhs: PredicateExpressions.build_Arg(1990))
    }
    #expect(try await keys(forced) == "a")
  }

  @Test func `a predicate with ExpressionEvaluate is rejected`() {
    // The toolchain does not accept it in a predicate, so the translator receives it directly.
    let next = Foundation.Expression<Int, Int> {
      PredicateExpressions.build_Arithmetic(lhs: $0, rhs: PredicateExpressions.build_Arg(1), op: .add)
    }
    let node = PredicateExpressions.build_evaluate(
      PredicateExpressions.build_Arg(next), PredicateExpressions.build_Arg(1990))
    var translator = PredicateTranslator()
    #expect(translator.expression(node).firstRefusal?.expression == "ExpressionEvaluate")
  }

  @Test func `a predicate with a custom expression node is rejected`() throws {
    #expect(try refusal(Predicate<Show> { _ in Sometimes() }) == "Sometimes")
  }
}

private enum Ranked: Int, AttributeValue, Comparable {
  case high, low
  static func < (left: Ranked, right: Ranked) -> Bool { left.rawValue > right.rawValue }
}

/// A custom expression node.
private struct Sometimes: StandardPredicateExpression {
  func evaluate(_ bindings: PredicateBindings) throws -> Bool { true }
}
