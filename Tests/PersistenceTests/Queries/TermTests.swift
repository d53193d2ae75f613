import Foundation
import LarderTestSupport
import Testing

@testable import Persistence

/// Conditions and the predicates that are written in the same way: both must find the same objects, in random rows with
/// nil and extreme values.
@Suite struct TermTests {
  private typealias Pair = (condition: (Row<Book>) -> Query<Book>, predicate: Predicate<Book>)

  @Test func `conditions have the meaning of predicates`() async throws {
    var random = SplitMix(seed: Fuzzing.seed)
    for _ in 0..<Fuzzing.rounds {
      let seed = random.next()
      let container = try await PersistentContainer(at: .inMemory, schema: Schema(Shelf.self, Book.self, Label.self))
      let context = container.newContext()
      try await context.persist { objects in
        var random = SplitMix(seed: seed)
        objects.insertRandomBooks(30, &random)
      }
      let values = Values(&random)
      try await context.perform { (objects) throws in
        let books = try objects.fetch(Book.self)
        for pairs in [
          Self.comparisons(values), Self.arithmetic(values), Self.optionals(values), Self.texts(values),
          Self.relations(values),
        ] {
          for (index, (condition, predicate)) in pairs.enumerated() {
            let query = Query(condition)
            let found = try objects.fetchIDs(FetchDescriptor(matching: query))
            let expected = try objects.fetchIDs(FetchDescriptor(matching: predicate))
            #expect(found == expected, "\(index) of \(pairs.count), seed \(seed): \(query.scoped.expression)")
            let inMemory = try books.filter { try query.matches($0) }.map(\.id)
            #expect(
              inMemory == expected, "\(index) of \(pairs.count), seed \(seed), in memory: \(query.scoped.expression)")
            let contrary = try objects.count(Book.self, matching: !query)
            #expect(
              contrary == books.count - expected.count, "\(index), seed \(seed), negated: \(query.scoped.expression)")
          }
        }
      }
    }
  }

  private struct Values: Sendable {
    let (int, real, text): (Int, Double, String)
    let (maybeInt, maybeReal, maybeText): (Int?, Double?, String?)
    let ints: [Int]
    let maybeInts: [Int?]
    let (low, high): (Int, Int)

    init(_ random: inout SplitMix) {
      (int, real, text) = (random.pick(Hostile.integers), random.pick(Hostile.reals), random.pick(Hostile.texts))
      maybeInt = random.chance(3) ? nil : random.pick(Hostile.integers)
      maybeReal = random.chance(3) ? nil : random.pick(Hostile.reals)
      maybeText = random.chance(3) ? nil : random.pick(Hostile.texts)
      ints = (0..<4).map { _ in random.pick(Hostile.integers) }
      maybeInts = ints + [random.chance(2) ? nil : 7]
      let bounds = (random.pick(Hostile.integers), random.pick(Hostile.integers))
      (low, high) = (min(bounds.0, bounds.1), max(bounds.0, bounds.1))
    }
  }

  private static func comparisons(_ v: Values) -> [Pair] {
    let (int, real, ints, low, high) = (v.int, v.real, v.ints, v.low, v.high)
    let (closed, half, from) = (low...high, low..<high, low...)
    return [
      ({ $0.int == int }, #Predicate { $0.int == int }), ({ $0.int != int }, #Predicate { $0.int != int }),
      ({ $0.int < int }, #Predicate { $0.int < int }), ({ $0.real >= real }, #Predicate { $0.real >= real }),
      ({ $0.flag }, #Predicate { $0.flag }), ({ !$0.flag }, #Predicate { !$0.flag }),
      ({ $0.flag == false && $0.int > int }, #Predicate { $0.flag == false && $0.int > int }),
      ({ $0.flag || $0.real <= real }, #Predicate { $0.flag || $0.real <= real }),
      ({ ($0.int > int) == $0.flag }, #Predicate { ($0.int > int) == $0.flag }),
      ({ $0.int.isIn(ints) }, #Predicate { ints.contains($0.int) }),
      ({ $0.int.isIn(closed) }, #Predicate { closed.contains($0.int) }),
      ({ $0.int.isIn(half) }, #Predicate { half.contains($0.int) }),
      ({ $0.int.isIn(from) }, #Predicate { from.contains($0.int) }),
    ]
  }

  private static func arithmetic(_ v: Values) -> [Pair] {
    let (int, real) = (v.int, v.real)
    return [
      ({ $0.int + 1 > int }, #Predicate { $0.int + 1 > int }), ({ int - $0.int < 3 }, #Predicate { int - $0.int < 3 }),
      ({ $0.int * $0.int >= int }, #Predicate { $0.int * $0.int >= int }),
      ({ $0.real * 2 - $0.real <= real }, #Predicate { $0.real * 2 - $0.real <= real }),
      ({ $0.int / int == 1 }, #Predicate { $0.int / int == 1 }),
      ({ 7 / $0.int > 0 }, #Predicate { 7 / $0.int > 0 }), ({ $0.int % 2 == 0 }, #Predicate { $0.int % 2 == 0 }),
      ({ real / $0.real > 1 }, #Predicate { real / $0.real > 1 }),
      ({ $0.maybeInt + int > 0 }, #Predicate { $0.maybeInt.flatMap { $0 + int > 0 } ?? false }),
      ({ $0.maybeReal * 0.5 != nil }, #Predicate { $0.maybeReal.flatMap { $0 * 0.5 == $0 * 0.5 } ?? false }),
      (
        { book in book.labels.contains { $0.weight - book.maybeReal > 0 } },
        #Predicate { book in
          book.labels.contains { label in
            label.weight.flatMap { weight in book.maybeReal.flatMap { weight - $0 > 0 } ?? false } ?? false
          }
        }
      ),
    ]
  }

  private static func optionals(_ v: Values) -> [Pair] {
    let (int, maybeInt, maybeReal, maybeInts) = (v.int, v.maybeInt, v.maybeReal, v.maybeInts)
    return [
      ({ $0.maybeInt == nil }, #Predicate { $0.maybeInt == nil }),
      ({ $0.maybeInt != nil }, #Predicate { $0.maybeInt != nil }),
      ({ $0.maybeInt == maybeInt }, #Predicate { $0.maybeInt == maybeInt }),
      ({ $0.maybeInt != maybeInt }, #Predicate { $0.maybeInt != maybeInt }),
      ({ $0.maybeReal == maybeReal }, #Predicate { $0.maybeReal == maybeReal }),
      ({ $0.maybeInt < int }, #Predicate { $0.maybeInt.flatMap { $0 < int } ?? false }),
      ({ !($0.maybeInt < int) }, #Predicate { !($0.maybeInt.flatMap { $0 < int } ?? false) }),
      ({ $0.maybeInt == $0.int }, #Predicate { book in book.maybeInt.flatMap { $0 == book.int } ?? false }),
      ({ $0.maybeInt != $0.int }, #Predicate { book in !(book.maybeInt.flatMap { $0 == book.int } ?? false) }),
      ({ $0.int == $0.maybeInt }, #Predicate { book in book.maybeInt.flatMap { $0 == book.int } ?? false }),
      ({ $0.maybeInt > $0.int }, #Predicate { book in book.maybeInt.flatMap { $0 > book.int } ?? false }),
      ({ $0.maybeFlag == true }, #Predicate { $0.maybeFlag == true }),
      ({ $0.maybeFlag != true }, #Predicate { $0.maybeFlag != true }),
      ({ $0.maybeInt.isIn(maybeInts) }, #Predicate { maybeInts.contains($0.maybeInt) }),
    ]
  }

  private static func texts(_ v: Values) -> [Pair] {
    let (text, maybeText) = (v.text, v.maybeText)
    return [
      ({ $0.text == text }, #Predicate { $0.text == text }), ({ $0.text < text }, #Predicate { $0.text < text }),
      ({ $0.maybeText == maybeText }, #Predicate { $0.maybeText == maybeText }),
      ({ $0.maybeText != text }, #Predicate { $0.maybeText != text }),
      ({ $0.text.contains(text) }, #Predicate { $0.text.contains(text) }),
      ({ $0.text.hasPrefix(text) }, #Predicate { $0.text.starts(with: text) }),
      ({ $0.maybeText.contains(text) }, #Predicate { $0.maybeText?.contains(text) == true }),
      ({ $0.maybeText.hasPrefix(text) }, #Predicate { $0.maybeText?.starts(with: text) == true }),
      ({ $0.text == $0.maybeText }, #Predicate { book in book.maybeText.flatMap { book.text == $0 } ?? false }),
    ]
  }

  private static func relations(_ v: Values) -> [Pair] {
    let (int, text, real) = (v.int, v.text, v.real)
    return [
      ({ $0.shelf == nil }, #Predicate { $0.shelf == nil }), ({ $0.shelf != nil }, #Predicate { $0.shelf != nil }),
      ({ $0.shelf.name == text }, #Predicate { $0.shelf?.name == text }),
      ({ $0.shelf.name != text }, #Predicate { $0.shelf?.name != text }),
      ({ $0.shelf.size == nil }, #Predicate { $0.shelf?.size == nil }),
      ({ $0.shelf.size > int }, #Predicate { $0.shelf.flatMap { $0.size.flatMap { $0 > int } ?? false } ?? false }),
      (
        { $0.shelf.contains { $0.name == text && $0.size != nil } },
        #Predicate { $0.shelf.flatMap { $0.name == text && $0.size != nil } ?? false }
      ),
      ({ $0.shelf.books.contains { $0.int == int } }, #Predicate { $0.shelf!.books.contains { $0.int == int } }),
      ({ $0.labels.contains { $0.name == text } }, #Predicate { $0.labels.contains { $0.name == text } }),
      ({ $0.labels.allSatisfy { $0.weight == nil } }, #Predicate { $0.labels.allSatisfy { $0.weight == nil } }),
      ({ $0.labels.isEmpty }, #Predicate { $0.labels.isEmpty }),
      ({ !$0.labels.isEmpty }, #Predicate { !$0.labels.isEmpty }),
      ({ !$0.labels.allSatisfy { $0.name < text } }, #Predicate { !$0.labels.allSatisfy { $0.name < text } }),
      ({ $0.labels.count > 1 }, #Predicate { $0.labels.count > 1 }),
      (
        { $0.labels.count { $0.weight == real } == 1 }, #Predicate { $0.labels.filter { $0.weight == real }.count == 1 }
      ),
      (
        { book in book.labels.contains { $0.name == book.text } },
        #Predicate { book in book.labels.contains { $0.name == book.text } }
      ),
      (
        { book in book.labels.contains { $0.books.contains { $0.int > book.int } } },
        #Predicate { book in book.labels.contains { $0.books.contains { $0.int > book.int } } }
      ),
      (
        { book in book.shelf.contains { $0.name == book.text } },
        #Predicate { book in book.shelf.flatMap { $0.name == book.text } ?? false }
      ),
    ]
  }
}
