import Foundation
import LarderTestSupport

@testable import Persistence

/// Makes random conditions on books from every kind of node and from values that often cause errors.
struct RandomExpressions {
  private enum Kind: CaseIterable { case integer, real, text, flag }

  private enum Scope {
    case book, shelf, label
    case value(Kind)
  }

  private var random: SplitMix
  private var scopes: [Scope] = [.book]

  init(_ random: SplitMix) { self.random = random }

  /// A value to select or to sort by.
  mutating func key(_ depth: Int) -> Persistence.QueryExpression { value(random.pick(Kind.allCases), depth) }

  mutating func condition(_ depth: Int) -> Persistence.QueryExpression {
    guard depth > 0 else { return comparison(0) }
    switch Int.random(in: 0..<15, using: &random) {
    case 0, 1: return .and(condition(depth - 1), condition(depth - 1))
    case 2, 3: return .or(condition(depth - 1), condition(depth - 1))
    case 4, 5: return .not(condition(depth - 1))
    case 6: return .conditional(condition(depth - 1), then: condition(depth - 1), otherwise: condition(depth - 1))
    case 7: return .coalesced(presence(depth), .truth(random.chance(2)))
    case 8: return .coalesced(presence(depth), condition(depth - 1))
    case 9: return .equal(presence(depth), random.chance(2) ? .value(.null) : .truth(random.chance(2)))
    case 10: return related(depth)
    case 11: return .exists(in: members(), where: inMembers { $0.condition(depth - 1) })
    case 12: return .equal(condition(depth - 1), condition(depth - 1))
    default: return comparison(depth - 1)
    }
  }

  private mutating func comparison(_ depth: Int) -> Persistence.QueryExpression {
    let kind = random.pick(Kind.allCases)
    switch Int.random(in: 0..<6, using: &random) {
    case 0: return .isIn(value(kind, depth), (0..<Int.random(in: 0..<6, using: &random)).map { _ in literal(kind) })
    case 1:
      let matches: [TextMatch] = [
        .contains, .begins, .ends, .foldedContains, .foldedBegins, .foldedEnds, .foldedEquals, .foldedLike,
      ]
      return .text(value(.text, depth), random.pick(matches), random.chance(3) ? value(.text, depth) : text())
    case 2, 3: return .equal(value(kind, depth), comparand(kind, depth))
    default:
      let orders: [Persistence.QueryExpression.Order] = [.less, .lessOrEqual, .greater, .greaterOrEqual]
      let kind: Kind = kind == .flag ? .integer : kind
      return .ordered(value(kind, depth), random.pick(orders), comparand(kind, depth))
    }
  }

  /// A literal, which may be NaN or nil, or another value.
  private mutating func comparand(_ kind: Kind, _ depth: Int) -> Persistence.QueryExpression {
    if random.chance(3) { return .value(literal(kind)) }
    return value(kind, depth)
  }

  private mutating func text() -> Persistence.QueryExpression { .value(.text(random.pick(Hostile.texts))) }

  private mutating func literal(_ kind: Kind) -> StoredValue {
    if random.chance(6) { return .null }
    switch kind {
    case .integer: return .integer(Int64(random.pick(Hostile.integers)))
    case .real: return random.chance(6) ? .real(.nan) : .real(random.pick(Hostile.reals))
    case .text: return .text(random.pick(Hostile.texts))
    case .flag: return .integer(random.chance(2) ? 1 : 0)
    }
  }

  private mutating func value(_ kind: Kind, _ depth: Int) -> Persistence.QueryExpression {
    guard depth > 0 else { return attribute(kind) }
    switch Int.random(in: 0..<9, using: &random) {
    case 0: return .coalesced(value(kind, depth - 1), value(kind, depth - 1))
    case 1: return .conditional(condition(depth - 1), then: value(kind, depth - 1), otherwise: value(kind, depth - 1))
    case 2:
      let outer = random.pick(Kind.allCases)
      let wrapped = value(outer, depth - 1)
      return .present(wrapped, then: within(.value(outer)) { $0.value(kind, depth - 1) })
    case 3, 4:
      switch kind {
      case .integer, .real:
        let all: [Persistence.QueryExpression.Arithmetic] = [.add, .subtract, .multiply, .divide, .remainder]
        let operation = random.pick(kind == .integer ? all : all.dropLast())
        return .arithmetic(value(kind, depth - 1), operation, value(kind, depth - 1))
      case .text: return attribute(kind)
      case .flag: return condition(depth - 1)
      }
    case 5 where kind == .integer:
      return random.chance(2)
        ? .length(value(.text, depth - 1)) : .count(of: members(), where: inMembers { $0.condition(depth - 1) })
    case 7 where kind == .real || kind == .text:
      let function: AggregateFunction = random.chance(2) ? .minimum : .maximum
      return .aggregate(
        function, of: members(), inMembers { $0.attribute(kind, at: 0) }, where: inMembers { $0.condition(depth - 1) })
    case 6 where kind == .text:
      return .member(.first(in: members(), where: inMembers { $0.condition(depth - 1) }), \Label.name)
    default: return attribute(kind)
    }
  }

  private mutating func presence(_ depth: Int) -> Persistence.QueryExpression {
    if random.chance(3) {
      return .present(.property(\Book.shelf, of: book), then: within(.shelf) { $0.condition(depth - 1) })
    }
    let kind = random.pick(Kind.allCases)
    let value = value(kind, 0)
    return .present(value, then: within(.value(kind)) { $0.condition(depth - 1) })
  }

  /// A condition over one relationship or several, mostly on the related objects only.
  private mutating func related(_ depth: Int) -> Persistence.QueryExpression {
    let outer = scopes
    defer { scopes = outer }
    if random.chance(2) { scopes = [.book] }
    switch (scopes.last, Int.random(in: 0..<3, using: &random)) {
    case (.book, 0):
      return .exists(in: .property(\Book.shelf, of: 0), where: within(.shelf) { $0.inner(depth) })
    case (.book, 1):
      return .exists(in: .property(\Book.labels, of: 0), where: within(.label) { $0.inner(depth) })
    case (.book, _):
      let kind: Kind = random.chance(2) ? .integer : .text
      let value: Persistence.QueryExpression = .property(kind == .text ? \Shelf.name : \Shelf.size, of: 0)
      return .equal(.present(.property(\Book.shelf, of: 0), then: value), .value(literal(kind)))
    case (.shelf, _): return .exists(in: .property(\Shelf.books, of: 0), where: within(.book) { $0.inner(depth) })
    case (.label, _): return .exists(in: .property(\Label.books, of: 0), where: within(.book) { $0.inner(depth) })
    default: return comparison(0)
    }
  }

  /// A condition on the innermost object, or on its related objects.
  private mutating func inner(_ depth: Int) -> Persistence.QueryExpression {
    if depth > 1, random.chance(3) { return .and(related(depth - 1), inner(depth - 1)) }
    if depth > 1, random.chance(3) { return related(depth - 1) }
    if random.chance(4) { return condition(max(0, depth - 1)) }
    let kind: Kind = scopes.last.map { if case .label = $0 { .text } else { .integer } } ?? .integer
    let property = attribute(kind, at: 0)
    switch Int.random(in: 0..<4, using: &random) {
    case 0: return .ordered(property, .less, .value(literal(kind)))
    case 1: return .isIn(property, (0..<3).map { _ in literal(kind) })
    default: return .equal(property, .value(literal(kind)))
    }
  }

  private var book: Int { scopes.count - 1 }

  private func members() -> Persistence.QueryExpression { .property(\Book.labels, of: book) }

  private mutating func inMembers(
    _ body: (inout RandomExpressions) -> Persistence.QueryExpression
  ) -> Persistence.QueryExpression { within(.label, body) }

  private mutating func within(
    _ scope: Scope, _ body: (inout RandomExpressions) -> Persistence.QueryExpression
  ) -> Persistence.QueryExpression {
    scopes.append(scope)
    defer { scopes.removeLast() }
    return body(&self)
  }

  private mutating func attribute(_ kind: Kind) -> Persistence.QueryExpression {
    attribute(kind, at: random.chance(2) ? 0 : Int.random(in: 0..<scopes.count, using: &random))
  }

  private mutating func attribute(_ kind: Kind, at level: Int) -> Persistence.QueryExpression {
    switch (scopes[scopes.count - 1 - level], kind) {
    case (.value(let bound), kind) where bound == kind: return .scope(level)
    case (.shelf, .text): return .property(\Shelf.name, of: level)
    case (.shelf, .integer): return .property(\Shelf.size, of: level)
    case (.label, .text): return .property(\Label.name, of: level)
    case (.label, .real): return .property(\Label.weight, of: level)
    case (.book, .integer): return .property(random.chance(2) ? \Book.int : \Book.maybeInt, of: level)
    case (.book, .text): return .property(random.chance(2) ? \Book.text : \Book.maybeText, of: level)
    default: break
    }
    let isOptional = random.chance(2)
    switch kind {
    case .integer:
      if random.chance(5) { return .member(.property(\Book.shelf, of: book), \Shelf.size) }
      return isOptional ? .property(\Book.maybeInt, of: book) : .property(\Book.int, of: book)
    case .real: return isOptional ? .property(\Book.maybeReal, of: book) : .property(\Book.real, of: book)
    case .text:
      if random.chance(5) { return .member(.property(\Book.shelf, of: book), \Shelf.name) }
      return isOptional ? .property(\Book.maybeText, of: book) : .property(\Book.text, of: book)
    case .flag: return isOptional ? .property(\Book.maybeFlag, of: book) : .property(\Book.flag, of: book)
    }
  }
}
