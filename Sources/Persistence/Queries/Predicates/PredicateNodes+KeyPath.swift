internal import Foundation

extension PredicateExpressions.KeyPath: TranslatableNode {
  func translated(by translator: inout PredicateTranslator) -> QueryExpression {
    if let captured { return .captured(captured, as: Output.self) }
    let type = Root.Output.self
    if type is ManagedObject.Type { return property(of: translator.expression(root)) }
    if type is any AnyRelatedObjects.Type || root is any FilterNode {
      return answer(about: translator.members(root))
    }
    if let type = type as? any QueryableValue.Type {
      return .field(translator.expression(root), keyPath, of: type, Output.self)
    }
    if type == String.self { return answer(about: translator.expression(root)) }
    if keyPath == \Date.timeIntervalSinceReferenceDate {
      let difference = StoredValue.real(Date.timeIntervalBetween1970AndReferenceDate)
      return .arithmetic(translator.expression(root), .subtract, .value(difference))
    }
    if isStoredForm(of: type) { return translator.expression(root) }
    return .unsupportedQuery(UnsupportedQueryError(keyPath.queryDescription, "is not stored"))
  }

  private func property(of object: QueryExpression) -> QueryExpression {
    if case .scope(let scope) = object { return .property(keyPath, of: scope) }
    return .member(object, keyPath)
  }

  /// The members' count, whether there are none, or the first of them.
  private func answer(about members: Members) -> QueryExpression {
    let paths = (Root.Output.self as? any AnyRelatedObjects.Type).map { ($0.countPath, $0.isEmptyPath, $0.firstPath) }
    if keyPath == paths?.0 || kind == .collectionCount { return .count(of: members.owner, where: members.test) }
    if keyPath == paths?.1 || kind == .collectionIsEmpty {
      return .not(.exists(in: members.owner, where: members.test))
    }
    if keyPath == paths?.2 || kind == .collectionFirst { return .first(in: members.owner, where: members.test) }
    let reason = "a relationship supports only count, isEmpty and first"
    return .unsupportedQuery(UnsupportedQueryError(keyPath.queryDescription, reason))
  }

  private func answer(about text: QueryExpression) -> QueryExpression {
    switch kind {
    case .collectionCount: .length(text)
    case .collectionIsEmpty: .equal(text, .value(.text("")))
    default:
      .unsupportedQuery(
        UnsupportedQueryError(keyPath.queryDescription, "a String supports only count and isEmpty"))
    }
  }

  /// Whether the property equals the value in its stored form.
  private func isStoredForm(of type: Any.Type) -> Bool {
    if let type = type as? any IdentifierType.Type { return keyPath == type.rawValuePath }
    if type == Date.self { return keyPath == \Date.timeIntervalSince1970 }
    // The key path of an enumeration's raw value cannot be compared directly. Its values for all cases identify it.
    guard let cases = type as? any CaseIterable.Type, !keyPath.hasSeveralComponents else { return false }
    return cases.isStored(at: keyPath)
  }
}

extension CaseIterable {
  fileprivate static func isStored(at keyPath: AnyKeyPath) -> Bool {
    allCases.allSatisfy { value in
      guard let stored = StoredForm.of(any: value), let property = value[keyPath: keyPath] else { return false }
      return StoredForm.of(any: property)?.isSame(as: stored) == true
    }
  }
}

/// Distinguishes to-many relationships from other collections.
protocol AnyRelatedObjects {
  static var countPath: AnyKeyPath { get }
  static var isEmptyPath: AnyKeyPath { get }
  static var firstPath: AnyKeyPath { get }
}

extension RelatedObjects: AnyRelatedObjects {
  static var countPath: AnyKeyPath { \RelatedObjects.count }
  static var isEmptyPath: AnyKeyPath { \RelatedObjects.isEmpty }
  static var firstPath: AnyKeyPath { \RelatedObjects.first }
}

private protocol IdentifierType {
  static var rawValuePath: AnyKeyPath { get }
}

extension ObjectID: IdentifierType {
  static var rawValuePath: AnyKeyPath { \ObjectID.rawValue }
}
