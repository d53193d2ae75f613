// Methods of strings, arrays and Optional, and of SwiftData's predicates, for which terms have other names.

extension Term where Value: QueryValue, Value.Unwrapped == String {
  /// Unavailable. To ignore case, use ``folded``.
  @available(*, unavailable, message: "write 'folded' in place of 'lowercased()': it ignores case and diacritics")
  public func lowercased() -> Term { self }

  /// Unavailable. To ignore case, use ``folded``.
  @available(*, unavailable, message: "write 'folded' in place of 'uppercased()': it ignores case and diacritics")
  public func uppercased() -> Term { self }

  /// Unavailable. To ignore case, use ``folded``.
  @available(*, unavailable, message: "write 'folded.contains(…)' instead: it ignores case and diacritics")
  public func localizedStandardContains(_ part: String) -> Query<Root> { .none }

  /// Unavailable. To ignore case, use ``folded``.
  @available(*, unavailable, message: "write 'folded.contains(…)' instead: it ignores case and diacritics")
  public func localizedCaseInsensitiveContains(_ part: String) -> Query<Root> { .none }

  /// Unavailable. To ignore case, use ``folded``.
  @available(*, unavailable, message: "write 'folded == …' instead: it ignores case and diacritics")
  public func caseInsensitiveCompare(_ other: String) -> UnknownMember<Root> { UnknownMember() }

  /// Unavailable. Use ``hasPrefix(_:)``.
  @available(*, unavailable, message: "write 'hasPrefix(…)' instead")
  public func starts(with prefix: String) -> Query<Root> { .none }

  /// Unavailable. Use ``contains(_:)`` with a string.
  @available(*, unavailable, message: "write 'contains(\"…\")' instead: the store does not look at single characters")
  public func contains(where condition: (Character) -> Bool) -> Query<Root> { .none }

  /// Unavailable. Compare the string with an empty one.
  @available(*, unavailable, message: "write '== \"\"' instead, or '== nil' for a missing string")
  public var isEmpty: Query<Root> { .none }
}

extension Term where Value: RelatedCollection {
  /// Unavailable. Use ``contains(where:)`` or ``count(where:)``.
  @available(*, unavailable, message: "write 'contains { … }' or 'count { … }' with the same closure instead")
  public func filter(_ condition: (Row<Value.Member>) -> Query<Value.Member>) -> Term { self }

  /// Unavailable. Use ``contains(where:)``.
  @available(*, unavailable, message: "write 'contains { … }' instead, which is true if there is such an object")
  public func first(
    where condition: (Row<Value.Member>) -> Query<Value.Member>
  ) -> Term<Root, Value.Member?> { Term<Root, Value.Member?>(scoped) }
}

extension Term {
  /// Unavailable. Use ``contains(where:)``.
  @available(*, unavailable, message: "write 'contains { … }' instead, or name a property of the related object")
  public func map<Target: ManagedObject, Part>(
    _ transform: (Row<Target>) -> Part
  ) -> Query<Root> where Value == Target? { .none }
}
