internal import Foundation

extension PredicateExpressions.KeyPath: TranslatableNode {
  func translated(by translator: inout PredicateTranslator) -> Expression {
    if let captured { return .captured(captured, as: Output.self) }
    let type = Root.Output.self
    if type is ManagedObject.Type { return property(of: translator.expression(root)) }
    if type is any RelatedObjects.Type || root is any FilterNode {
      return answer(about: translator.members(root))
    }
    if type == String.self { return answer(about: translator.expression(root)) }
    if keyPath == \Date.timeIntervalSinceReferenceDate {
      let difference = StoredValue.real(Date.timeIntervalBetween1970AndReferenceDate)
      return .arithmetic(translator.expression(root), .subtract, .value(difference))
    }
    if isStoredForm(of: type) { return translator.expression(root) }
    return .refused(QueryRefusal(keyPath.queryDescription, "is not stored"))
  }

  private func property(of object: Expression) -> Expression {
    if case .scope(let scope) = object { return .property(keyPath, of: scope) }
    return .member(object, keyPath)
  }

  /// Of the members of a relationship, their number, whether there are any, and the first.
  private func answer(about members: Members) -> Expression {
    let paths = (Root.Output.self as? any RelatedObjects.Type).map { ($0.countPath, $0.isEmptyPath, $0.firstPath) }
    if keyPath == paths?.0 || kind == .collectionCount { return .count(of: members.owner, where: members.test) }
    if keyPath == paths?.1 || kind == .collectionIsEmpty {
      return .not(.exists(in: members.owner, where: members.test))
    }
    if keyPath == paths?.2 || kind == .collectionFirst { return .first(in: members.owner, where: members.test) }
    let reason = "of a relationship, only count, isEmpty and first are known"
    return .refused(QueryRefusal(keyPath.queryDescription, reason))
  }

  private func answer(about text: Expression) -> Expression {
    switch kind {
    case .collectionCount: .length(text)
    case .collectionIsEmpty: .equal(text, .value(.text("")))
    default: .refused(QueryRefusal(keyPath.queryDescription, "of a text, only count and isEmpty are known"))
    }
  }

  /// Whether the property is the value itself, as the store keeps it.
  private func isStoredForm(of type: Any.Type) -> Bool {
    if let type = type as? any IdentifierType.Type { return keyPath == type.rawValuePath }
    if type == Date.self { return keyPath == \Date.timeIntervalSince1970 }
    // The key path of an enumeration's raw value cannot be told by comparing it, but by what it gives for every case.
    guard let cases = type as? any CaseIterable.Type else { return false }
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

/// Tells to-many relationships from other collections.
protocol RelatedObjects {
  static var countPath: AnyKeyPath { get }
  static var isEmptyPath: AnyKeyPath { get }
  static var firstPath: AnyKeyPath { get }
}

extension Related: RelatedObjects {
  static var countPath: AnyKeyPath { \Related.count }
  static var isEmptyPath: AnyKeyPath { \Related.isEmpty }
  static var firstPath: AnyKeyPath { \Related.first }
}

private protocol IdentifierType {
  static var rawValuePath: AnyKeyPath { get }
}

extension ObjectID: IdentifierType {
  static var rawValuePath: AnyKeyPath { \ObjectID.rawValue }
}
