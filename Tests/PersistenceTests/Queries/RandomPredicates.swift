import Foundation
import LarderTestSupport
import Persistence

/// Makes random predicates on books from nodes that Foundation and the store evaluate alike.
struct RandomPredicates {
  typealias Node<Output> = any StandardPredicateExpression<Output>
  private typealias Nodes = PredicateExpressions

  private var random: SplitMix
  private let book: PredicateExpressions.Variable<Book>

  private init(_ random: SplitMix, _ book: PredicateExpressions.Variable<Book>) {
    self.random = random
    self.book = book
  }

  static func predicate(_ random: SplitMix, depth: Int) -> Predicate<Book> {
    Predicate { book in
      var predicates = RandomPredicates(random, book)
      return predicates.condition(depth)
    }
  }

  private mutating func condition(_ depth: Int) -> Node<Bool> {
    guard depth > 0 else { return comparison() }
    switch Int.random(in: 0..<8, using: &random) {
    case 0, 1: return join(condition(depth - 1), condition(depth - 1), true)
    case 2, 3: return join(condition(depth - 1), condition(depth - 1), false)
    case 4, 5: return negated(condition(depth - 1))
    case 6: return conditional(condition(depth - 1), condition(depth - 1), condition(depth - 1))
    default: return equal(condition(depth - 1), condition(depth - 1))
    }
  }

  private mutating func comparison() -> Node<Bool> {
    switch Int.random(in: 0..<16, using: &random) {
    case 0: return equal(integer(), integer())
    case 1: return ordered(integer(), integer())
    case 2: return equal(real(), real())
    case 3: return ordered(real(), real())
    case 4: return equal(text(), text())
    case 5: return ordered(text(), text())
    case 6: return equal(path(\.maybeInt), value(random.chance(3) ? nil : random.pick(Hostile.integers)))
    case 7: return equal(path(\.maybeReal), value(random.chance(3) ? nil : random.pick(Hostile.reals)))
    case 8: return equal(path(\.maybeText), value(random.chance(3) ? nil : random.pick(Hostile.plainTexts)))
    case 9: return equal(path(\.maybeFlag), value(random.chance(3) ? nil : random.chance(2)))
    case 10: return path(\.flag)
    case 11: return contains()
    case 12: return member(named: random.pick(Hostile.plainTexts))
    case 13: return presence(random.pick(Hostile.integers), otherwise: random.chance(2))
    case 14: return shelf(named: random.pick(Hostile.plainTexts))
    default: return isOne()
    }
  }

  private mutating func integer() -> Node<Int> {
    switch Int.random(in: 0..<3, using: &random) {
    case 0: return path(\.int)
    case 1: return coalesced(path(\.maybeInt), value(random.pick(Hostile.integers)))
    default: return value(random.pick(Hostile.integers))
    }
  }

  private mutating func real() -> Node<Double> {
    switch Int.random(in: 0..<4, using: &random) {
    case 0: return path(\.real)
    case 1: return coalesced(path(\.maybeReal), value(random.pick(Hostile.reals)))
    case 2: return doubled(path(\.real))
    default: return value(random.pick(Hostile.reals))
    }
  }

  private mutating func text() -> Node<String> {
    switch Int.random(in: 0..<3, using: &random) {
    case 0: return path(\.text)
    case 1: return coalesced(path(\.maybeText), value(random.pick(Hostile.plainTexts)))
    default: return value(random.pick(Hostile.plainTexts))
    }
  }

  private mutating func contains() -> Node<Bool> {
    let (text, part) = (Nodes.build_KeyPath(root: book, keyPath: \.text), random.pick(Hostile.plainTexts))
    return random.chance(2)
      ? Nodes.build_contains(text, Nodes.build_Arg(part)) : Nodes.build_starts(text, with: Nodes.build_Arg(part))
  }

  private mutating func isOne() -> Node<Bool> {
    let values = (0..<4).map { _ in random.chance(4) ? nil : random.pick(Hostile.integers) }
    return Nodes.build_contains(Nodes.build_Arg(values), Nodes.build_KeyPath(root: book, keyPath: \.maybeInt))
  }

  private mutating func member(named name: String) -> Node<Bool> {
    let labels = Nodes.build_KeyPath(root: book, keyPath: \.labels)
    func isNamed(_ label: Nodes.Variable<Label>) -> some StandardPredicateExpression<Bool> {
      Nodes.build_Equal(lhs: Nodes.build_KeyPath(root: label, keyPath: \.name), rhs: Nodes.build_Arg(name))
    }
    return random.chance(2)
      ? Nodes.build_contains(labels, where: isNamed) : Nodes.build_allSatisfy(labels, isNamed)
  }

  private func presence(_ number: Int, otherwise: Bool) -> Node<Bool> {
    Nodes.build_NilCoalesce(
      lhs: Nodes.build_flatMap(Nodes.build_KeyPath(root: book, keyPath: \.maybeInt)) {
        Nodes.build_Comparison(lhs: $0, rhs: Nodes.build_Arg(number), op: .lessThan)
      },
      rhs: Nodes.build_Arg(otherwise))
  }

  private func shelf(named name: String?) -> Node<Bool> {
    Nodes.build_Equal(
      lhs: Nodes.build_flatMap(Nodes.build_KeyPath(root: book, keyPath: \.shelf)) {
        Nodes.build_KeyPath(root: $0, keyPath: \.name)
      },
      rhs: Nodes.build_Arg(name))
  }

  // Nodes around parts whose types are known at run time only

  private func path<Value>(_ path: any KeyPath<Book, Value> & Sendable) -> Node<Value> {
    Nodes.build_KeyPath(root: book, keyPath: path)
  }

  private func value<Value: Codable & Sendable>(_ value: Value) -> Node<Value> { Nodes.Value(value) }

  private func join(_ left: Node<Bool>, _ right: Node<Bool>, _ isBoth: Bool) -> Node<Bool> {
    func open<Left: StandardPredicateExpression<Bool>, Right: StandardPredicateExpression<Bool>>(
      _ left: Left, _ right: Right
    ) -> Node<Bool> {
      isBoth ? Nodes.build_Conjunction(lhs: left, rhs: right) : Nodes.build_Disjunction(lhs: left, rhs: right)
    }
    return open(left, right)
  }

  private func negated(_ condition: Node<Bool>) -> Node<Bool> {
    func open<Part: StandardPredicateExpression<Bool>>(_ part: Part) -> Node<Bool> { Nodes.build_Negation(part) }
    return open(condition)
  }

  private func conditional(_ test: Node<Bool>, _ then: Node<Bool>, _ otherwise: Node<Bool>) -> Node<Bool> {
    func open<
      Test: StandardPredicateExpression<Bool>, Then: StandardPredicateExpression<Bool>,
      Otherwise: StandardPredicateExpression<Bool>
    >(_ test: Test, _ then: Then, _ otherwise: Otherwise) -> Node<Bool> {
      Nodes.build_Conditional(test, then, otherwise)
    }
    return open(test, then, otherwise)
  }

  private func equal<Value: Equatable>(_ left: Node<Value>, _ right: Node<Value>) -> Node<Bool> {
    func open<Left: StandardPredicateExpression<Value>, Right: StandardPredicateExpression<Value>>(
      _ left: Left, _ right: Right
    ) -> Node<Bool> { Nodes.build_Equal(lhs: left, rhs: right) }
    return open(left, right)
  }

  private mutating func ordered<Value: Comparable>(_ left: Node<Value>, _ right: Node<Value>) -> Node<Bool> {
    let orders: [Nodes.ComparisonOperator] = [.lessThan, .lessThanOrEqual, .greaterThan, .greaterThanOrEqual]
    let order = random.pick(orders)
    func open<Left: StandardPredicateExpression<Value>, Right: StandardPredicateExpression<Value>>(
      _ left: Left, _ right: Right
    ) -> Node<Bool> { Nodes.build_Comparison(lhs: left, rhs: right, op: order) }
    return open(left, right)
  }

  private func coalesced<Value>(_ first: Node<Value?>, _ second: Node<Value>) -> Node<Value> {
    func open<First: StandardPredicateExpression<Value?>, Second: StandardPredicateExpression<Value>>(
      _ first: First, _ second: Second
    ) -> Node<Value> { Nodes.build_NilCoalesce(lhs: first, rhs: second) }
    return open(first, second)
  }

  private func doubled(_ number: Node<Double>) -> Node<Double> {
    func open<Part: StandardPredicateExpression<Double>>(_ part: Part) -> Node<Double> {
      Nodes.build_Arithmetic(lhs: part, rhs: Nodes.build_Arg(2.0), op: .multiply)
    }
    return open(number)
  }
}
