/// A term whose value is selected, sorted by or grouped by.
struct SelectedTerm: Sendable {
  /// The object is its scope 0.
  let expression: QueryExpression
  /// Whether the value's type has nil.
  let isOptional: Bool

  /// Called while the closure's row is the innermost one.
  init<Root, Value: QueryValue>(_ term: Term<Root, Value>) {
    expression = term.scoped.inInnermostRow.expression
    isOptional = Value.self is any OptionalType.Type
  }

  static func one<Object, Value: QueryValue>(_ term: (Row<Object>) -> Term<Object, Value>) -> SelectedTerm {
    RowFrame.withRow { SelectedTerm(term(Row(_number: $0))) }
  }

  static func all<Object, each Value: QueryValue>(
    _ terms: (Row<Object>) -> (repeat Term<Object, each Value>)
  ) -> [SelectedTerm] {
    RowFrame.withRow { number in
      var result: [SelectedTerm] = []
      let terms = terms(Row(_number: number))
      for term in repeat each terms { result.append(SelectedTerm(term)) }
      return result
    }
  }

  /// What an error calls the term.
  func description(in entity: Entity) -> String { expression.description(in: entity).text }

  /// The attribute that the term is, if it is one.
  func attribute(in entity: Entity) -> (Entity, Column)? {
    let (owner, path): (Entity?, any PropertyPath)
    switch expression {
    case .property(let own, of: 0): (owner, path) = (entity, own)
    case .member(let object, let other): (owner, path) = (object.description(in: entity).target, other)
    default: return nil
    }
    guard let owner, case .attribute(let slot) = owner.property(at: path) else { return nil }
    return (owner, owner.columns[slot])
  }
}

extension QueryExpression {
  /// What an error calls an expression whose scope 0 is an object of the class, and the class of its own object.
  func description(in entity: Entity) -> (text: String, target: Entity?) {
    switch self {
    case .property(let path, of: 0): QueryExpression.description(of: path, in: entity)
    case .member(let object, let path):
      QueryExpression.description(of: path, in: object.description(in: entity).target)
    case .field(let value, let field): ("\(value.description(in: entity).text).\(field.name)", nil)
    case .folded(let text): ("\(text.description(in: entity).text).folded", nil)
    case .count: ("count", nil)
    case .aggregate(let function, _, _, _), .grouped(let function, _): (function.name, nil)
    default: ("a calculated value", nil)
    }
  }

  static func description(of path: AnyKeyPath, in entity: Entity?) -> (text: String, target: Entity?) {
    guard let entity, let property = entity.property(at: path) else { return (path.queryDescription, nil) }
    return switch property {
    case .id: ("\(entity.name).id", nil)
    case .attribute(let slot): ("\(entity.name).\(entity.columns[slot].property)", nil)
    case .toOne(let relationship), .toMany(let relationship): (relationship.path, relationship.target)
    }
  }
}
